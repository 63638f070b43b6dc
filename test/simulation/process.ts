import type { RandomStream } from '../../engine/core/random.ts';
import type { ServerClock, Timer } from '../../src/machine/clock.ts';
import type { Timeline } from './timeline.ts';

/** Wall time as all programs of a machine see it, apart from its rate. */
export interface Wall {
  /** Wall time at the start of the world, ms since 1970, plus all jumps since. */
  startMs: number;
}

/** A program on a machine, which can be suspended and killed. */
export class Process {
  isDead = false;
  /** Number of pending timers. */
  timers = 0;
  openFiles = 0;
  private frozenUntilMs = 0;
  /** Events that arrived while it was suspended, in order. */
  private readonly held: (() => void)[] = [];
  private readonly timeline: Timeline;
  private readonly wall: Wall;
  private readonly random: RandomStream;

  constructor(timeline: Timeline, wall: Wall, random: RandomStream) {
    this.timeline = timeline;
    this.wall = wall;
    this.random = random;
  }

  /**
   * Delivers an event from outside: now, when the program resumes, or never if it is dead. Earlier events come first.
   */
  run(act: () => void): void {
    if (this.isDead) return;
    const restMs = this.frozenUntilMs - this.timeline.nowMs;
    if (restMs <= 0 && this.held.length === 0) {
      act();
      return;
    }
    this.held.push(act);
    this.timeline.after(restMs, () => this.release());
  }

  /** Each held event is delivered separately, so that the promises of one are settled before the next. */
  private release(): void {
    if (this.isDead) return;
    const restMs = this.frozenUntilMs - this.timeline.nowMs;
    if (restMs > 0) this.timeline.after(restMs, () => this.release());
    else this.held.shift()!();
  }

  get isFrozen(): boolean {
    return this.frozenUntilMs > this.timeline.nowMs;
  }

  /** Suspends the program for this long. */
  freeze(ms: number): void {
    this.frozenUntilMs = Math.max(this.frozenUntilMs, this.timeline.nowMs + ms);
  }

  kill(): void {
    this.isDead = true;
  }

  readonly clock: ServerClock = {
    now: () => this.timeline.nowMs,
    // No room is slower than others.
    busy: () => 0,
    date: () => Math.floor(this.wall.startMs + this.timeline.nowMs),
    after: (ms, act) => this.timer(ms, act),
    every: (ms, act) => {
      let timer: Timer;
      const next = (): void => {
        timer = this.timer(ms, () => {
          next();
          act();
        });
      };
      next();
      return { cancel: () => timer.cancel() };
    },
    soon: (act) => {
      if (!this.isDead) this.timeline.after(0.01, () => this.run(act));
    },
  };

  private timer(ms: number, act: () => void): Timer {
    if (this.isDead) return { cancel: () => {} };
    this.timers++;
    let isSet = true;
    const unset = (): boolean => {
      const wasSet = isSet;
      isSet = false;
      if (wasSet) this.timers--;
      return wasSet;
    };
    // Like Node's timers: whole milliseconds, at least one, and a little late.
    const timer = this.timeline.after(Math.max(1, Math.trunc(ms)) + this.random.next(), () =>
      this.run(() => {
        if (unset()) act();
      }),
    );
    return {
      cancel: () => {
        unset();
        timer.cancel();
      },
    };
  }
}
