import type { ServerClock, Timer } from '../../machine/index.ts';
import type { Overrun } from './room-messages.ts';

/** The schedule of one room. */
class Beat {
  /** The sum of the charges for the room's ticks so far, ms: its virtual time in terms of fair queueing. */
  chargedMs = 0;
  /** Whether the room is due and waiting for its turn. */
  isWaiting = false;
  /** The charge for the room's latest tick, ms. The next tick is expected to cost the same. */
  chargeMs = 0;
  /** The processor time of the room's longest recent tick, ms. It decays with each tick. */
  longestMs = 0;
  /** The mean processor time of the room's recent ticks, ms. */
  meanMs = 0;
  /** The time until which the room waits because its latest tick took a multiple of its period, ms of the clock. */
  restEndsMs = 0;
  /**
   * The latest time at which the room stops waiting for the overtime of the thread to be compensated, ms of the clock.
   */
  waitEndsMs = 0;

  constructor(
    readonly intervalMs: number,
    public dueMs: number,
    /** The value of `TickClock.longMs` after the room's latest tick. */
    public longBeforeMs: number,
    readonly act: (lateMs: number) => void,
    /** Called with the number of ticks that are skipped because the room is too late or must wait. */
    readonly onOverrun: (ticks: number, why: Overrun) => void,
  ) {}
}

/**
 * A tick cannot be interrupted, so a tick that takes longer than this noticeably delays the other rooms of the thread,
 * ms.
 */
const longMs = 40;
/**
 * Replaces `longMs` for a room that needs nearly a whole thread, if such rooms are moved to another thread. It is a
 * fifth of a period at 20 Hz.
 */
const longForGreedyMs = 10;
const greedyFrom = 0.8;
/**
 * The longest wait after a single long tick, ms. It is short, because the tick may have been an exception. If another
 * long tick follows, the room waits until all the overtime is compensated.
 */
const firstWaitMs = 2000;
/** A tick that takes at least this many periods makes its room wait for as long as the tick took. */
const restFromPeriods = 2;
const meanWeight = 0.1;
/** `longestMs` decays by this factor per tick: a tick of 300 ms is forgotten after 100 ticks. */
const decay = 0.98;
/**
 * The fraction of time that a thread may spend on overtime: the part of long ticks above the limit. With this value, 95
 * % of the other rooms' ticks are on time.
 */
const overtimeShare = 0.04;
/**
 * The overtime that may accumulate before rooms with long ticks have to wait, ms. It is enough for a game to start or
 * to build a map.
 */
const overtimeMaxMs = 400;

export interface TickClockOptions {
  readonly catchUpTicksMax: number;
  /**
   * Whether rooms with long ticks are held back for the benefit of others. If not, as on threads for slow rooms, the
   * rooms only share the time fairly.
   */
  readonly limitsOvertime: boolean;
  /**
   * Whether rooms that need nearly a whole thread (`greedyFrom`) are moved to another one. Until such a room is moved,
   * its ticks already count as long from `longForGreedyMs` instead of `longMs`, so the room waits more.
   */
  readonly movesGreedy: boolean;
}

/**
 * Calls each room at its rate. A tick is due one period after the previous one was due, even if that one was late, so
 * that nothing drifts. A late room is called without delay until it has caught up; ticks beyond `catchUpTicksMax` are
 * skipped.
 *
 * The rooms of a thread share its processor time by weighted fair queueing: of the rooms that are due, the one whose
 * total charge after its tick would be lowest goes first. The charge for a tick is its processor time, multiplied by
 * the fraction of the period that it took (at most 1). A room that needs a tenth of the thread may therefore use ten
 * times as much of it as a room that needs the whole thread. A light room waits for at most one tick of a heavy one,
 * however many heavy ones there are; the heavy rooms share the rest equally.
 *
 * A room with long ticks has to wait while others play: directly after a tick that took a multiple of its period, and
 * otherwise for as long as it takes to keep the fraction of overtime small.
 */
export class TickClock {
  private readonly beats = new Map<string, Beat>();
  private timer: Timer | undefined;
  private isQueued = false;
  /**
   * The charges, before its tick, of the room that was called last: the virtual time of the queue. A room that becomes
   * due starts from at least this value, so that idle rooms do not save up credit.
   */
  private chargedMs = 0;
  /** The total time of long ticks of all rooms so far, ms. */
  private longMs = 0;
  /** The time at which the overtime of all long ticks so far will have been compensated, ms of the clock. */
  private overtimeEndsMs = 0;

  constructor(
    private readonly options: TickClockOptions,
    private readonly clock: ServerClock,
  ) {}

  has(id: string): boolean {
    return this.beats.has(id);
  }

  start(id: string, rate: number, act: Beat['act'], onOverrun: Beat['onOverrun']) {
    const intervalMs = 1000 / rate;
    this.beats.set(id, new Beat(intervalMs, this.clock.now() + intervalMs, this.longMs, act, onOverrun));
    this.arm();
  }

  stop(id: string) {
    this.beats.delete(id);
    if (this.beats.size === 0) this.close();
  }

  close() {
    this.timer?.cancel();
    this.timer = undefined;
    this.beats.clear();
  }

  private arm() {
    if (this.isQueued) return;
    this.timer?.cancel();
    const longTicksFromMs = this.longTicksAllowedFrom();
    let next = Infinity;
    for (const beat of this.beats.values()) next = Math.min(next, this.callableAt(beat, longTicksFromMs));
    if (next === Infinity) return;
    const waitMs = next - this.clock.now();
    if (waitMs > 0) {
      // The wait is rounded down, because timers count whole milliseconds and never fire early.
      this.timer = this.clock.after(Math.floor(waitMs), () => this.run());
      return;
    }
    // Lets sockets and messages be handled between two rooms.
    this.isQueued = true;
    this.clock.soon(() => {
      this.isQueued = false;
      this.run();
    });
  }

  private run() {
    const now = this.clock.now();
    const beat = this.first(now);
    if (beat !== undefined) this.call(beat, now);
    this.arm();
  }

  /** The room to be called next, among those that may be called now; undefined if there is none. */
  private first(now: number): Beat | undefined {
    const longTicksFromMs = this.longTicksAllowedFrom();
    let first: Beat | undefined;
    let least = Infinity;
    for (const beat of this.beats.values()) {
      if (this.callableAt(beat, longTicksFromMs) > now) continue;
      if (!beat.isWaiting) {
        beat.isWaiting = true;
        beat.chargedMs = Math.max(beat.chargedMs, this.chargedMs);
      }
      const chargedMs = beat.chargedMs + beat.chargeMs;
      if (chargedMs > least || (chargedMs === least && first !== undefined && beat.dueMs >= first.dueMs)) continue;
      least = chargedMs;
      first = beat;
    }
    return first;
  }

  private call(beat: Beat, now: number) {
    const lateMs = now - beat.dueMs;
    const forOthersMs = Math.min(lateMs, this.longMs - beat.longBeforeMs);
    const ofOthers = Math.floor(forOthersMs / beat.intervalMs);
    const skipped = this.skip(beat, lateMs);
    this.tell(beat, Math.min(ofOthers, skipped), 'others');
    this.tell(beat, skipped - ofOthers, 'late');
    beat.dueMs += beat.intervalMs;
    const busyMs = this.clock.busy();
    beat.act(lateMs);
    const tickMs = this.clock.busy() - busyMs;
    this.chargedMs = Math.max(beat.chargedMs, this.chargedMs);
    beat.chargeMs = tickMs * Math.min(1, tickMs / beat.intervalMs);
    beat.chargedMs += beat.chargeMs;
    beat.isWaiting = false;
    beat.longestMs = Math.max(tickMs, beat.longestMs * decay);
    beat.meanMs += (tickMs - beat.meanMs) * meanWeight;
    const limitMs = this.longFrom(beat);
    const isMultiple = tickMs >= restFromPeriods * beat.intervalMs;
    if (tickMs > limitMs || isMultiple) {
      const endMs = this.clock.now();
      this.longMs += endMs - now;
      if (this.longTicksDelayOthers(beat)) {
        if (isMultiple) beat.restEndsMs = endMs + tickMs;
        beat.waitEndsMs = now < this.longTicksAllowedFrom() ? Infinity : endMs + firstWaitMs;
        this.overtimeEndsMs = Math.max(this.overtimeEndsMs, now) + Math.max(0, tickMs - limitMs) / overtimeShare;
        // Skipped ticks are reported immediately rather than after the wait, so that a room that is held back counts as
        // slow.
        this.tell(beat, this.skip(beat, this.callableAt(beat, this.longTicksAllowedFrom()) - beat.dueMs), 'held');
      }
    }
    beat.longBeforeMs = this.longMs;
  }

  /** Skips the ticks that a room which is this late may not catch up on. Returns their number. */
  private skip(beat: Beat, lateMs: number) {
    const ticks = Math.max(0, Math.floor(lateMs / beat.intervalMs) - this.options.catchUpTicksMax);
    beat.dueMs += ticks * beat.intervalMs;
    return ticks;
  }

  private tell(beat: Beat, skipped: number, why: Overrun) {
    if (skipped > 0) beat.onOverrun(skipped, why);
  }

  /** The time from which rooms with long ticks may be called again, ms of the clock. */
  private longTicksAllowedFrom() {
    return this.longTicksDelayOthers() ? this.overtimeEndsMs - overtimeMaxMs / overtimeShare : 0;
  }

  /** Whether long ticks delay rooms, other than `one`, that have no long ticks themselves. */
  private longTicksDelayOthers(one?: Beat) {
    if (!this.options.limitsOvertime) return false;
    for (const beat of this.beats.values()) if (beat !== one && beat.longestMs <= this.longFrom(beat)) return true;
    return false;
  }

  private callableAt(beat: Beat, longTicksFromMs: number) {
    const restedMs = Math.max(beat.dueMs, beat.restEndsMs);
    if (beat.longestMs <= this.longFrom(beat)) return restedMs;
    return Math.max(restedMs, Math.min(longTicksFromMs, beat.waitEndsMs));
  }

  /** The processor time from which on a tick of a room is long, ms. */
  private longFrom({ meanMs, intervalMs }: Beat) {
    return this.options.movesGreedy && meanMs >= greedyFrom * intervalMs ? longForGreedyMs : longMs;
  }
}
