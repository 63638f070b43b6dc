import { type Input, isInput, type JournalHead } from '../../engine/index.ts';
import { frameOf, readFrames } from './frames.ts';
import { isJournalHead } from './journal-bytes.ts';

/**
 * A room for its operator: the start, one message for each tick that is played from then on, and now and then a snapshot. With them the room is
 * played again beside it, so that the room itself computes nothing for those who look.
 */
export type InsightMessage =
  /** At first: the definition as its file has it (gzip), and the tick at which the feed begins. Its snapshot follows. */
  | { readonly kind: 'start'; readonly head: JournalHead; readonly room: string; readonly definition: Uint8Array }
  | { readonly kind: 'snapshot'; readonly tick: number; readonly bytes: Uint8Array }
  | ({ readonly kind: 'tick' } & InsightTick)
  /** There is nothing to send, and the connection holds. */
  | { readonly kind: 'alive' }
  /** Nothing follows. `code` says why, as in the protocol; without one the feed can be asked for again. */
  | { readonly kind: 'end'; readonly code?: string | undefined };

/** A tick of a room, and the time that it took on the server. */
export interface InsightTick {
  readonly tick: number;
  readonly inputs: readonly Input[];
  /** Of the state that it left; now and then. */
  readonly hash?: string | undefined;
  /** ms of playing the tick, of encoding what clients get, and by which the tick began late. */
  readonly playMs: number;
  readonly encodeMs: number;
  readonly lateMs: number;
}

/** The media type of a feed. */
export const insightType = 'application/vnd.reenact.insight';

export function insightBytes(message: InsightMessage): Uint8Array {
  return frameOf(message);
}

/** A message that is larger than this is none, bytes. */
const messageBytesMax = 64 * 1024 * 1024;

/** Puts messages together of the pieces in which a network delivers them. */
export class InsightReader {
  private rest: Uint8Array<ArrayBuffer> = new Uint8Array(0);

  /** The messages that a piece completes. Throws for bytes that are no feed. */
  take(piece: Uint8Array): readonly InsightMessage[] {
    const bytes = new Uint8Array(this.rest.length + piece.length);
    bytes.set(this.rest);
    bytes.set(piece, this.rest.length);
    const { messages, lostBytes } = readFrames(bytes, 0, isInsightMessage);
    this.rest = bytes.slice(bytes.length - lostBytes);
    if (lostBytes >= 8) {
      const length = 8 + new DataView(this.rest.buffer).getUint32(0, true);
      // All of it is here, and it cannot be read.
      if (lostBytes >= length || length > messageBytesMax) throw new Error('These bytes are no feed of a room.');
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
