import type { RoomSnapshot } from '../../cluster/index.ts';
import { type InsightMessage, insightBytes } from '../../journal/index.ts';
import type { Code } from '../../net/index.ts';
import type { TickReport } from '../room/room-messages.ts';

/** The receiver of an insight feed, by which an operator inspects a running room. */
export interface InsightSink {
  /** The first message of the feed, which precedes the snapshot of `tick`. */
  start(tick: number): InsightMessage;
  /** False if too many bytes are unread; the sink is removed then. */
  write(bytes: Uint8Array): boolean;
  close(): void;
}

/** The maximum number of simultaneous feeds of a room. */
const sinksMax = 4;

/**
 * The insight feeds of one room (docs/protocol.md). Each message is encoded once for all sinks; nothing is encoded
 * without any.
 */
export class Insights {
  /** Sinks that wait for the snapshot with which a feed starts. */
  private readonly waiting = new Set<InsightSink>();
  private readonly started = new Set<InsightSink>();

  get isFull(): boolean {
    return this.size >= sinksMax;
  }

  get size(): number {
    return this.waiting.size + this.started.size;
  }

  add(sink: InsightSink): void {
    this.waiting.add(sink);
  }

  remove(sink: InsightSink): void {
    this.waiting.delete(sink);
    this.started.delete(sink);
  }

  ticked({ record, tickMs, encodeMs, lateMs, snapshot }: TickReport): void {
    if (this.size === 0) return;
    const { tick, inputs, hash } = record;
    if (this.started.size > 0) this.put({ kind: 'tick', tick, inputs, hash, playMs: tickMs, encodeMs, lateMs });
    if (snapshot !== undefined) this.snapshot(snapshot);
  }

  snapshot({ tick, bytes }: RoomSnapshot): void {
    if (this.size === 0) return;
    const waiting = [...this.waiting];
    this.waiting.clear();
    for (const sink of waiting) {
      this.started.add(sink);
      this.write(sink, insightBytes(sink.start(tick)));
    }
    this.put({ kind: 'snapshot', tick, bytes });
  }

  /** Call this every few seconds, so that operators can tell a sleeping room from a lost connection. */
  beat(): void {
    if (this.started.size > 0) this.put({ kind: 'alive' });
  }

  /** Ends all feeds. Without a code the room continues, possibly from an earlier state. */
  end(code?: Code): void {
    if (this.size === 0) return;
    const bytes = insightBytes({ kind: 'end', code });
    for (const sink of [...this.waiting, ...this.started]) {
      sink.write(bytes);
      sink.close();
    }
    this.waiting.clear();
    this.started.clear();
  }

  private put(message: InsightMessage): void {
    const bytes = insightBytes(message);
    for (const sink of [...this.started]) this.write(sink, bytes);
  }

  private write(sink: InsightSink, bytes: Uint8Array): void {
    if (sink.write(bytes)) return;
    this.remove(sink);
    sink.close();
  }
}
