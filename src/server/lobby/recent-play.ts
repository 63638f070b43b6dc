import type { RoomIdentity, RoomSnapshot, StoredRoom, TickRecord } from '../../cluster/index.ts';

/** How many seconds of play before a report are kept. */
const reportSeconds = 30;
/** A snapshot is requested if the last one is older than this many times `reportSeconds`, so that memory is bounded. */
const spansMax = 2;

/** The last seconds of a room: enough snapshots and ticks to replay at least the last `reportSeconds`. */
export class RecentPlay {
  private snapshots: RoomSnapshot[] = [];
  private ticks: TickRecord[] = [];

  /** Adds a tick. Returns true if a snapshot is needed. */
  ticked(record: TickRecord, rate: number): boolean {
    // The room was reset to an earlier state, so the recording starts again.
    if (this.ticks.length > 0 && record.tick <= this.ticks.at(-1)!.tick) this.clear();
    this.ticks.push(record);
    const newest = this.snapshots.at(-1)?.tick ?? this.ticks[0]!.tick - 1;
    const span = reportSeconds * rate;
    return record.tick - newest >= span * spansMax && (record.tick - newest) % span === 0;
  }

  snapshot(snapshot: RoomSnapshot, rate: number) {
    if (this.snapshots.length > 0 && snapshot.tick <= this.snapshots.at(-1)!.tick) return;
    this.snapshots.push(snapshot);
    const from = snapshot.tick - reportSeconds * rate;
    while (this.snapshots.length > 1 && this.snapshots[1]!.tick <= from) this.snapshots.shift();
    const start = this.snapshots[0]!.tick;
    this.ticks = this.ticks.filter(({ tick }) => tick > start);
  }

  /**
   * The recording in the form of a stored room; undefined if it has no beginning, that is, neither a snapshot nor the
   * first tick.
   */
  stored(room: RoomIdentity): StoredRoom | undefined {
    const [snapshot] = this.snapshots;
    const ticks = snapshot === undefined ? this.ticks : this.ticks.filter(({ tick }) => tick > snapshot.tick);
    const isWhole = snapshot !== undefined || ticks[0]?.tick === 1;
    return isWhole ? { room, snapshot, ticks } : undefined;
  }

  clear() {
    this.snapshots = [];
    this.ticks = [];
  }
}
