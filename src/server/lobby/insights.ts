import { type InsightMessage, insightBytes } from '../../journal/insight-feed.ts';
import type { Code } from '../protocol/codes.ts';
import type { RoomSnapshot, TickReport } from '../room/messages.ts';

/** Where the bytes of a feed go. */
export interface InsightSink {
  /** The feed begins at a tick: the message that comes before the snapshot of it. */
  start(tick: number): InsightMessage;
  /** False for a sink that has too much unread: it gets nothing more. */
  write(bytes: Uint8Array): boolean;
  /** Nothing follows. */
  close(): void;
}

/** Operators at most that look into one room at a time. */
const sinksMax = 4;

/** The feeds of one room (docs/protocol.md). A message for all of them is encoded once; without any, nothing is. */
export class Insights {
  /** Sinks that wait for a snapshot to begin with. */
  private readonly waiting = new Set<InsightSink>();
  private readonly begun = new Set<InsightSink>();

  get isFull(): boolean {
    return this.size >= sinksMax;
  }

  get size(): number {
    return this.waiting.size + this.begun.size;
  }

  add(sink: InsightSink): void {
    this.waiting.add(sink);
  }

  remove(sink: InsightSink): void {
    this.waiting.delete(sink);
    this.begun.delete(sink);
  }

  ticked({ record, tickMs, encodeMs, lateMs, snapshot }: TickReport): void {
    if (this.size === 0) return;
    const { tick, inputs, hash } = record;
    if (this.begun.size > 0) this.put({ kind: 'tick', tick, inputs, hash, playMs: tickMs, encodeMs, lateMs });
    if (snapshot !== undefined) this.snapshot(snapshot);
  }

  snapshot({ tick, bytes }: RoomSnapshot): void {
    if (this.size === 0) return;
    const waiting = [...this.waiting];
    this.waiting.clear();
    for (const sink of waiting) {
      this.begun.add(sink);
      this.write(sink, insightBytes(sink.start(tick)));
    }
    this.put({ kind: 'snapshot', tick, bytes });
  }

  /** To be called every few seconds, so that a room that sleeps can be known from a connection that is lost. */
  beat(): void {
    if (this.begun.size > 0) this.put({ kind: 'alive' });
  }

  /** Without a code the room goes on, from a state that may be an earlier one. */
  end(code?: Code): void {
    if (this.size === 0) return;
    const bytes = insightBytes({ kind: 'end', code });
    for (const sink of [...this.waiting, ...this.begun]) {
      sink.write(bytes);
      sink.close();
    }
    this.waiting.clear();
    this.begun.clear();
  }

  private put(message: InsightMessage): void {
    const bytes = insightBytes(message);
    for (const sink of [...this.begun]) this.write(sink, bytes);
  }

  private write(sink: InsightSink, bytes: Uint8Array): void {
    if (sink.write(bytes)) return;
    this.remove(sink);
    sink.close();
  }
}
