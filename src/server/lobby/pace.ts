import type { SlowReason } from '../../net/index.ts';
import type { Overrun } from '../room/room-messages.ts';

/** A room that runs at less than this fraction of its rate is slow, which players notice. */
const keepsUpFrom = 0.9;
/** The period over which ticks are counted, in seconds. */
const periodSeconds = 2;
/**
 * How long a room may report nothing before its measured speed falls, in seconds. A short silence is normal: a late
 * room catches up, and reports wait until the main thread reads them.
 */
const silentSeconds = 0.5;

/** Measures how fast a room plays its game. */
export class Pace {
  /**
   * Whether the room was too slow in the latest two periods, or had to wait for longer than two periods. A single slow
   * period may be a coincidence.
   */
  isSlow = false;
  /** The reason why the room is slow, if known. */
  reason: SlowReason | undefined;
  /** The mean processor time of a tick in the latest period, ms. */
  busyMs = 0;
  /** The fraction of the due ticks in the latest period that were played; 1 if none was skipped. */
  private share = 1;
  /**
   * Whether the room was fast enough in the latest period. Ticks that it skipped because other rooms took long do not
   * count.
   */
  private keptUp = true;
  private played = 0;
  private skipped: Record<Overrun, number> = { held: 0, late: 0, others: 0 };
  private sumMs = 0;
  /** When the room must report its next tick, in ms of the clock. Infinity while the room sleeps. */
  private dueMs = Infinity;
  /**
   * Whether this is the first period. It may skip as many ticks as a period has, because the JIT compiler compiles the
   * game during the first ticks.
   */
  private isFirst = true;

  constructor(private readonly rate: number) {}

  /**
   * Notes that the room is awake, so that it must soon report a tick. Call it also before the first tick, which may
   * never end.
   */
  expect(nowMs: number) {
    this.dueMs = Math.min(this.dueMs, nowMs + silentSeconds * 1000);
  }

  /** The fraction of the due ticks in the last seconds that were played. It falls while a tick does not end. */
  speedAt(nowMs: number): number {
    const missing = this.missingAt(nowMs);
    if (!(missing > 0)) return this.share;
    const due = this.played + this.sumSkipped + missing;
    const former = Math.max(0, this.rate * periodSeconds - due);
    return Math.min(this.share, (this.played + this.share * former) / (due + former));
  }

  /** Counts skipped ticks. Returns true if the room thereby becomes slow, or runs at full speed again. */
  overrun(ticks: number, why: Overrun): boolean {
    this.skipped[why] += ticks;
    this.dueMs += (ticks * 1000) / this.rate;
    return this.judge();
  }

  /**
   * Counts a tick and its processor time. Returns true if the room thereby becomes slow, or runs at full speed again.
   */
  ticked(busyMs: number, nowMs: number): boolean {
    this.played++;
    this.sumMs += busyMs;
    this.dueMs = nowMs + 1000 / this.rate + silentSeconds * 1000;
    return this.judge();
  }

  /** Marks the room as slow, because it does not advance. Returns true if the room was not slow before. */
  stuck(reason: SlowReason): boolean {
    const isNew = !this.isSlow;
    this.isSlow = true;
    this.reason = reason;
    return isNew;
  }

  /**
   * Counts the ticks that were lost when another thread resumed the room: those since its last one. Returns true if the
   * room thereby becomes slow, or runs at full speed again.
   */
  resumed(nowMs: number): boolean {
    const lost = Math.floor(this.missingAt(nowMs + silentSeconds * 1000));
    return lost > 0 && this.overrun(lost, 'late');
  }

  /** Whether the room has not reported a tick for more than a second. */
  isSilentAt(nowMs: number): boolean {
    return this.missingAt(nowMs) > this.rate * silentSeconds;
  }

  private missingAt(nowMs: number) {
    return ((nowMs - this.dueMs) * this.rate) / 1000;
  }

  private get sumSkipped() {
    return this.skipped.held + this.skipped.late + this.skipped.others;
  }

  private judge() {
    const { played, skipped, isSlow: wasSlow } = this;
    const due = played + this.sumSkipped;
    const period = this.rate * periodSeconds;
    if (due < period) return false;
    const forgiven = this.isFirst ? Math.min(period, due - played) : 0;
    this.share = played / (due - forgiven);
    const own = Math.max(0, skipped.held + skipped.late - forgiven);
    const keepsUp = played >= keepsUpFrom * (played + own);
    this.isSlow = !keepsUp && (wasSlow || !this.keptUp || skipped.held >= 2 * period);
    this.keptUp = keepsUp;
    if (played > 0) this.busyMs = this.sumMs / played;
    const isHeld = skipped.held > 0 || this.busyMs >= (keepsUpFrom * 1000) / this.rate;
    this.reason = this.isSlow && isHeld ? 'long-ticks' : undefined;
    this.isFirst = false;
    this.played = 0;
    this.skipped = { held: 0, late: 0, others: 0 };
    this.sumMs = 0;
    return this.isSlow !== wasSlow;
  }
}
