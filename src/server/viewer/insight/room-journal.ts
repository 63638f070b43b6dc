import type { Input, Journal, JournalHead } from '../../../../engine/index.ts';
import type { InsightTick } from '../../../journal/index.ts';
import type { ServerTime } from '../../../viewer/index.ts';

/** How many snapshots are kept: 25 minutes, at one every ten seconds. */
const snapshotsMax = 150;

/** The journal of a running room: ticks are appended at its end, and old ones are dropped from its start. */
export class GrowingJournal implements Journal {
  readonly inputs = new Map<number, readonly Input[]>();
  readonly hashes = new Map<number, string>();
  readonly snapshots: { readonly tick: number; readonly bytes: Uint8Array }[] = [];
  readonly edits: Journal['edits'] = new Map();
  readonly isComplete = false;
  readonly times = new Map<number, ServerTime>();
  lastTick: number;

  constructor(
    public head: JournalHead,
    bytes: Uint8Array,
  ) {
    this.lastTick = head.tick;
    this.snapshots.push({ tick: head.tick, bytes });
  }

  /** False if ticks are missing before this one; the feed must reconnect then. */
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
