import type { Dialect } from '../definition/dialect.ts';
import type { Metadata } from '../definition/metadata.ts';

/**
 * The rates of a simulation. A tick lasts 1 / `ticksPerSecond` s; scripts and physics run in all or only some ticks.
 */
export interface Rates {
  readonly ticksPerSecond: number;
  /** Rate of scripts, behaviours, abilities, AI, and regeneration of entities. */
  readonly scriptsPerSecond: number;
  /** Rate of physics steps and regeneration of players. */
  readonly physicsPerSecond: number;
}

/**
 * Rate of the reference's outer frames. If the reference's two rates differ, a tick is one outer frame (reference:
 * tick#rates).
 */
export const outerFramesPerSecond = 60;

/**
 * The rates of a game. The specification has one rate; the reference has two, each with its limits (reference:
 * tick#rates).
 */
export function ratesOf(metadata: Pick<Metadata, 'frameRate' | 'engineTickRate'>, dialect: Dialect): Rates {
  if (dialect.singleTickRate) {
    const rate = clamp(metadata.frameRate ?? 60, 1, 240);
    return { ticksPerSecond: rate, scriptsPerSecond: rate, physicsPerSecond: rate };
  }
  const physicsPerSecond = clamp(metadata.frameRate ?? 20, 20, 60);
  const scriptsPerSecond = clamp(metadata.engineTickRate ?? 20, 20, 60);
  const ticksPerSecond = physicsPerSecond === scriptsPerSecond ? physicsPerSecond : outerFramesPerSecond;
  return { ticksPerSecond, scriptsPerSecond, physicsPerSecond };
}

function clamp(rate: number, least: number, most: number) {
  return Math.max(least, Math.min(most, rate));
}

/** Whether one of `perSecond` steps per second falls into a tick. The steps are spread evenly and do not drift. */
export function isDue(tick: number, perSecond: number, ticksPerSecond: number): boolean {
  return stepsBy(tick, perSecond, ticksPerSecond) > stepsBy(tick - 1, perSecond, ticksPerSecond);
}

/**
 * For a tick in which a step occurs: the number of ticks since the previous step, or, for the first step, since the
 * start.
 */
export function ticksSinceStep(tick: number, perSecond: number, ticksPerSecond: number): number {
  let since = 1;
  while (since < tick && !isDue(tick - since, perSecond, ticksPerSecond)) since++;
  return since;
}

function stepsBy(tick: number, perSecond: number, ticksPerSecond: number) {
  // The addend 1e-9 absorbs the rounding errors of rates that divide the tick rate exactly.
  return Math.floor((tick * perSecond) / ticksPerSecond + 1e-9);
}

/**
 * Time steps per millisecond. A power of two, so that times are binary fractions, which floating point represents
 * exactly.
 */
const timeSteps = 1024;

/**
 * The time of a tick, simulated ms, rounded to 1/1024 ms, so that adding whole milliseconds is exact. At 60 ticks per
 * second, 100 ms after tick 7 is always tick 13, and never one tick later because of a rounding error.
 */
export function timeMsOf(tick: number, ticksPerSecond: number): number {
  return Math.round((tick * 1000 * timeSteps) / ticksPerSecond) / timeSteps;
}

/** The clocks of a world that are derived from its time. */
interface Clocks {
  readonly epochMs: number;
  nowMs: number;
  frameMs: number;
  loopMs: number;
  dateMs: number;
}

/**
 * Length of an outer frame in recordings of the reference, ms. Slightly more than 1/60 s, so that no frame is early for
 * a rate of 60 (reference: tick#clocks).
 */
const outerFrameMs = 16.666667;

/**
 * Sets the clocks of a world. Without outer frames (`hasFrames` is false), all clocks show the simulated time, except
 * that the clock of the AI, between two ticks, shows the latest earlier multiple of 1/60 s. With outer frames, AI, life
 * spans and the use of items follow the frames, and the date clock shows whole ms.
 */
export class Timing {
  private readonly ticksPerSecond: number;

  constructor(
    rates: Rates,
    private readonly hasFrames: boolean,
  ) {
    this.ticksPerSecond = rates.ticksPerSecond;
  }

  atTick(clocks: Clocks, tick: number): void {
    const frameMs = this.frameMsOf((tick * outerFramesPerSecond) / this.ticksPerSecond);
    this.set(clocks, timeMsOf(tick, this.ticksPerSecond), frameMs);
  }

  /** Sets the clocks to the time just before a tick, which may be fractional. */
  beforeTick(clocks: Clocks, tick: number): void {
    this.between(clocks, timeMsOf(tick, this.ticksPerSecond));
  }

  /** Sets the clocks to a time between two ticks. A time equal to that of a frame counts as before the frame. */
  between(clocks: Clocks, nowMs: number): void {
    let frame = Math.max(0, Math.ceil((nowMs * outerFramesPerSecond) / 1000 - 1e-6) - 1);
    if (frame > 0 && this.hasFrames && this.frameMsOf(frame) >= nowMs) frame--;
    this.set(clocks, nowMs, this.frameMsOf(frame));
    if (!this.hasFrames) clocks.frameMs = (frame * 1000) / outerFramesPerSecond;
  }

  atFrame(clocks: Clocks, frame: number): void {
    this.set(clocks, this.frameTimeMs(frame), this.frameMsOf(frame));
  }

  /** The time of an outer frame, as timers see it. At 20 ticks per second, frames are at whole ms. */
  frameTimeMs(frame: number): number {
    return this.ticksPerSecond === wholeMsRate ? this.frameMsOf(frame) : timeMsOf(frame, outerFramesPerSecond);
  }

  /**
   * The length in seconds of the physics step of `tick`, which is `ticks` ticks after the previous step. It is computed
   * as in the reference, by subtracting dates: the rounding errors of the subtraction decide the outcome of chaotic
   * contacts.
   */
  stepSeconds({ epochMs }: Clocks, tick: number, ticks: number): number {
    if (!this.hasFrames || this.ticksPerSecond === wholeMsRate) return ticks / this.ticksPerSecond;
    const framesPerTick = outerFramesPerSecond / this.ticksPerSecond;
    const then = epochMs + this.frameMsOf((tick - ticks) * framesPerTick);
    return (epochMs + this.frameMsOf(tick * framesPerTick) - then) / 1000;
  }

  private set(clocks: Clocks, nowMs: number, frameMs: number) {
    clocks.nowMs = nowMs;
    clocks.frameMs = this.hasFrames ? frameMs : nowMs;
    clocks.loopMs = clocks.frameMs;
    clocks.dateMs = this.hasFrames ? Math.round(nowMs) : nowMs;
  }

  private frameMsOf(frame: number) {
    return this.ticksPerSecond === wholeMsRate
      ? Math.round((frame * 1000) / outerFramesPerSecond)
      : frame * outerFrameMs;
  }
}

const wholeMsRate = 20;
