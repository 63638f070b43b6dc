import type { ServerClock, Timer } from '../machine/clock.ts';

/** Work that is done at a steady rate. */
interface Beat {
  readonly intervalMs: number;
  readonly act: (lateMs: number) => void;
  /** Called with the number of ticks that are given up because they are too late. */
  readonly onOverrun: (ticks: number) => void;
  dueMs: number;
  /** Charges for its ticks so far, ms, on the scale of `TickClock.chargedMs`. */
  chargedMs: number;
  /** Whether its turn has been awaited since it became due. */
  isWaiting: boolean;
  /** Charge for its latest tick, ms. The next one is expected to cost the same. */
  chargeMs: number;
  /** Processor time of its longest recent tick; fades with each tick, ms. */
  longestMs: number;
}

/** A tick cannot be interrupted. One that takes more than this delays all other rooms by more than players should notice. */
const longMs = 40;
/** Each such tick fades out of a room's record by this factor a tick: from 300 ms it is forgotten after 100 ticks. */
const fading = 0.98;
/** The part of the time in which a thread may be in a long tick for more than `longMs`. It leaves 95 % of all ticks of other rooms in time. */
const overtimeShare = 0.04;
/** Overtime that may be run up before rooms have to wait for it, ms: a game may start, or build a map, without a penalty. */
const overtimeMaxMs = 400;

export interface TickClockOptions {
  readonly catchUpTicksMax: number;
  /** Whether rooms with long ticks wait so that others are in time. Where all rooms are slow they only share the thread. */
  readonly limitsOvertime: boolean;
}

/**
 * Calls each room at its rate. A call is due one period after the time when the one before was due, also where that came late, so that nothing drifts.
 * A room that is late is called again at once until it has caught up. Ticks beyond `catchUpTicksMax` are given up.
 *
 * The rooms of a thread share its processor time by weighted fair queueing. Of those that are due, the one goes first whose charges are least after its
 * tick. The charge is the processor time of the tick, multiplied by the part of its period that it took, at most 1. A room that needs a tenth of the
 * thread may therefore use ten times as much of it as one that needs all. Quiet rooms wait for one tick of a greedy one at most, whatever the number of
 * greedy ones. Those share the rest equally.
 */
export class TickClock {
  private readonly beats = new Map<string, Beat>();
  private readonly options: TickClockOptions;
  private readonly clock: ServerClock;
  private timer: Timer | undefined;
  private isQueued = false;
  /** Of the room that was called last, before its tick. A room that becomes due has not saved up what it was charged less. */
  private chargedMs = 0;
  /** When the overtime of all long ticks so far is made up for. */
  private overtimeEndsMs = 0;

  constructor(options: TickClockOptions, clock: ServerClock) {
    this.clock = clock;
    this.options = options;
  }

  has(id: string): boolean {
    return this.beats.has(id);
  }

  start(id: string, rate: number, act: (lateMs: number) => void, onOverrun: (ticks: number) => void): void {
    const intervalMs = 1000 / rate;
    const dueMs = this.clock.now() + intervalMs;
    this.beats.set(id, {
      intervalMs,
      act,
      onOverrun,
      dueMs,
      chargedMs: 0,
      isWaiting: false,
      chargeMs: 0,
      longestMs: 0,
    });
    this.arm();
  }

  stop(id: string): void {
    this.beats.delete(id);
    if (this.beats.size === 0) this.close();
  }

  close(): void {
    this.timer?.cancel();
    this.timer = undefined;
    this.beats.clear();
  }

  private arm(): void {
    if (this.isQueued) return;
    this.timer?.cancel();
    const longTicksFromMs = this.longTicksFrom();
    let next = Number.POSITIVE_INFINITY;
    for (const beat of this.beats.values()) next = Math.min(next, callableAt(beat, longTicksFromMs));
    if (next === Number.POSITIVE_INFINITY) return;
    const waitMs = next - this.clock.now();
    if (waitMs > 0) {
      // A timer counts whole milliseconds and is never early.
      this.timer = this.clock.after(Math.floor(waitMs), () => this.run());
      return;
    }
    // Between two rooms that are due, sockets and messages have their turn.
    this.isQueued = true;
    this.clock.soon(() => {
      this.isQueued = false;
      this.run();
    });
  }

  private run(): void {
    const now = this.clock.now();
    const beat = this.first(now);
    if (beat !== undefined) this.call(beat, now);
    this.arm();
  }

  /** Of the rooms that can be called now, the one whose turn it is. */
  private first(now: number): Beat | undefined {
    const longTicksFromMs = this.longTicksFrom();
    let first: Beat | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const beat of this.beats.values()) {
      if (callableAt(beat, longTicksFromMs) > now) continue;
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

  private call(beat: Beat, now: number): void {
    const lateMs = now - beat.dueMs;
    const lostTicks = Math.floor(lateMs / beat.intervalMs) - this.options.catchUpTicksMax;
    if (lostTicks > 0) {
      beat.dueMs += lostTicks * beat.intervalMs;
      beat.onOverrun(lostTicks);
    }
    beat.dueMs += beat.intervalMs;
    const busyMs = this.clock.busy();
    beat.act(lateMs);
    const tickMs = this.clock.busy() - busyMs;
    this.chargedMs = Math.max(beat.chargedMs, this.chargedMs);
    beat.chargeMs = tickMs * Math.min(1, tickMs / beat.intervalMs);
    beat.chargedMs += beat.chargeMs;
    beat.isWaiting = false;
    beat.longestMs = Math.max(tickMs, beat.longestMs * fading);
    if (tickMs > longMs && this.longTicksDelay()) {
      this.overtimeEndsMs = Math.max(this.overtimeEndsMs, now) + (tickMs - longMs) / overtimeShare;
    }
  }

  /** When rooms with long ticks may be called again. */
  private longTicksFrom(): number {
    return this.longTicksDelay() ? this.overtimeEndsMs - overtimeMaxMs / overtimeShare : 0;
  }

  /** Whether there are rooms that long ticks of others delay. */
  private longTicksDelay(): boolean {
    if (!this.options.limitsOvertime) return false;
    for (const { longestMs } of this.beats.values()) if (longestMs <= longMs) return true;
    return false;
  }
}

function callableAt({ dueMs, longestMs }: Beat, longTicksFromMs: number): number {
  return longestMs > longMs ? Math.max(dueMs, longTicksFromMs) : dueMs;
}
