import type { Input, Journal, JournalHead } from '../../../../engine/index.ts';
import type { InsightTick } from '../../../journal/insight-feed.ts';
import type { ServerTime } from '../../../viewer/viewer.ts';

/** Snapshots that are kept: with one in ten seconds, the last 25 minutes. */
const snapshotsMax = 150;

/** The journal of a room that goes on: ticks are added at its end, and old ones leave it at its beginning. */
export class RoomJournal implements Journal {
  readonly inputs = new Map<number, readonly Input[]>();
  readonly hashes = new Map<number, string>();
  readonly snapshots: { readonly tick: number; readonly bytes: Uint8Array }[] = [];
  readonly edits: ReadonlyMap<number, Uint8Array> = new Map();
  readonly isComplete = false;
  readonly times = new Map<number, ServerTime>();
  head: JournalHead;
  lastTick: number;

  constructor(head: JournalHead, bytes: Uint8Array) {
    this.head = head;
    this.lastTick = head.tick;
    this.snapshots.push({ tick: head.tick, bytes });
  }

  /** False for a tick that does not follow: some are missing, and the room has to be asked for anew. */
  add({ tick, inputs, hash, playMs, encodeMs, lateMs }: InsightTick): boolean {
    if (tick !== this.lastTick + 1) return false;
    if (inputs.length > 0) this.inputs.set(tick, inputs);
    if (typeof hash === 'string') this.hashes.set(tick, hash);
    this.times.set(tick, { playMs, encodeMs, lateMs });
    this.lastTick = tick;
    return true;
  }

  keep(tick: number, bytes: Uint8Array): void {
    if (tick !== this.lastTick || tick <= this.snapshots.at(-1)!.tick) return;
    this.snapshots.push({ tick, bytes });
    if (this.snapshots.length <= snapshotsMax) return;
    const first = this.head.tick;
    this.snapshots.shift();
    const begins = this.snapshots[0]!.tick;
    for (let old = first; old <= begins; old++) {
      for (const list of [this.inputs, this.hashes, this.times]) list.delete(old);
    }
    this.head = { ...this.head, tick: begins };
  }
}
