import type { ServerClock, Timer } from '../../machine/clock.ts';

/** Work that is done at a steady rate. */
interface Beat {
  readonly intervalMs: number;
  readonly act: (lateMs: number) => void;
  /** Called with the number of ticks that are given up because they are too late. */
  readonly onOverrun: (ticks: number) => void;
  dueMs: number;
}

/**
 * Calls each room at its rate. A call is due one period after the time when the one before was due, also where that came late, so that nothing drifts.
 * A room that is late is called again at once until it has caught up, in turn with the others. Ticks beyond `catchUpTicksMax` are given up.
 */
export class TickClock {
  private readonly beats = new Map<string, Beat>();
  private readonly catchUpTicksMax: number;
  private readonly clock: ServerClock;
  private timer: Timer | undefined;
  private isQueued = false;

  constructor(catchUpTicksMax: number, clock: ServerClock) {
    this.clock = clock;
    this.catchUpTicksMax = catchUpTicksMax;
  }

  has(id: string): boolean {
    return this.beats.has(id);
  }

  start(id: string, rate: number, act: (lateMs: number) => void, onOverrun: (ticks: number) => void): void {
    const intervalMs = 1000 / rate;
    this.beats.set(id, { intervalMs, act, onOverrun, dueMs: this.clock.now() + intervalMs });
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
    let next = Number.POSITIVE_INFINITY;
    for (const { dueMs } of this.beats.values()) next = Math.min(next, dueMs);
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

  /** Calls the one room that has waited longest. */
  private run(): void {
    let first: Beat | undefined;
    for (const beat of this.beats.values()) if (first === undefined || beat.dueMs < first.dueMs) first = beat;
    if (first !== undefined) {
      const now = this.clock.now();
      const lateMs = now - first.dueMs;
      if (lateMs >= 0) {
        const lostTicks = Math.floor(lateMs / first.intervalMs) - this.catchUpTicksMax;
        if (lostTicks > 0) {
          first.dueMs += lostTicks * first.intervalMs;
          first.onOverrun(lostTicks);
        }
        first.dueMs += first.intervalMs;
        first.act(lateMs);
      }
    }
    this.arm();
  }
}
