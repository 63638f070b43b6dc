import { type Input, isInput, type JournalHead } from '../../engine/index.ts';
import { frameOf, readFrames } from './frames.ts';
import { isJournalHead } from './journal-bytes.ts';

/**
 * The feed of a room for its operator: the start, one message per tick, and occasional snapshots. The operator's page
 * simulates the room from these, so that watching costs the room nothing.
 */
export type InsightMessage =
  /** First: the definition file (gzip) and the tick at which the feed starts. Its snapshot follows. */
  | { readonly kind: 'start'; readonly head: JournalHead; readonly room: string; readonly definition: Uint8Array }
  | { readonly kind: 'snapshot'; readonly tick: number; readonly bytes: Uint8Array }
  | ({ readonly kind: 'tick' } & InsightTick)
  /** A heartbeat. */
  | { readonly kind: 'alive' }
  /** The end. `code` is the reason, as in the protocol; without one the feed can be requested again. */
  | { readonly kind: 'end'; readonly code?: string | undefined };

/** A tick of a room and its time on the server. */
export interface InsightTick {
  readonly tick: number;
  readonly inputs: readonly Input[];
  /** The hash of the resulting state, on some ticks. */
  readonly hash?: string | undefined;
  /** Time in ms for simulating the tick and for encoding it for clients, and how late the tick started. */
  readonly playMs: number;
  readonly encodeMs: number;
  readonly lateMs: number;
}

/** The media type of a feed. */
export const insightType = 'application/vnd.reenact.insight';

export function insightBytes(message: InsightMessage): Uint8Array {
  return frameOf(message);
}

/** Larger messages are rejected, in bytes. */
const messageBytesMax = 64 * 1024 * 1024;

/** Reassembles messages from the chunks that a network delivers. */
export class InsightReader {
  private rest: Uint8Array<ArrayBuffer> = new Uint8Array(0);

  /** Returns the messages that a chunk completes. Throws if the bytes are not a feed. */
  take(piece: Uint8Array): readonly InsightMessage[] {
    const bytes = new Uint8Array(this.rest.length + piece.length);
    bytes.set(this.rest);
    bytes.set(piece, this.rest.length);
    const { messages, lostBytes } = readFrames(bytes, 0, isInsightMessage);
    this.rest = bytes.slice(bytes.length - lostBytes);
    if (lostBytes >= 8) {
      const length = 8 + new DataView(this.rest.buffer).getUint32(0, true);
      // The message is complete but unreadable.
      if (lostBytes >= length || length > messageBytesMax) throw new Error('The data is not the feed of a room.');
    }
    return messages;
  }
}

function isInsightMessage(value: unknown): value is InsightMessage {
  if (value === null || typeof value !== 'object') return false;
  const record = value as Record<string, unknown>;
  switch (record['kind']) {
    case 'start':
      return record['definition'] instanceof Uint8Array && isJournalHead(record['head']);
    case 'snapshot':
      return Number.isSafeInteger(record['tick']) && record['bytes'] instanceof Uint8Array;
    case 'tick':
      return isTick(record);
    case 'alive':
    case 'end':
      return true;
    default:
      return false;
  }
}

function isTick({ tick, inputs, playMs, encodeMs, lateMs }: Record<string, unknown>): boolean {
  const isTimed = [playMs, encodeMs, lateMs].every((ms) => Number.isFinite(ms));
  return Number.isSafeInteger(tick) && Array.isArray(inputs) && inputs.every(isInput) && isTimed;
}
