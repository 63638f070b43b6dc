import type { Dialect } from '../definition/dialect.ts';
import type { Metadata } from '../definition/metadata.ts';

/** How often what happens. One tick of the simulation is 1 / `ticksPerSecond` s; scripts and physics run in all or some ticks. */
export interface Rates {
  readonly ticksPerSecond: number;
  /** Scripts, behaviours, abilities, AI, regeneration of entities. */
  readonly scriptsPerSecond: number;
  /** Physics steps, regeneration of players. */
  readonly physicsPerSecond: number;
}

/** Where the two rates of the reference differ, its outer frame is the tick (reference: tick#rates). */
export const outerFramesPerSecond = 60;

/** The specification has one rate; the reference clamps two of its own (reference: tick#rates). */
export function ratesOf(metadata: Pick<Metadata, 'frameRate' | 'engineTickRate'>, dialect: Dialect): Rates {
  if (dialect.oneRate) {
    const rate = clamp(metadata.frameRate ?? 60, 1, 240);
    return { ticksPerSecond: rate, scriptsPerSecond: rate, physicsPerSecond: rate };
  }
  const physicsPerSecond = clamp(metadata.frameRate ?? 20, 20, 60);
  const scriptsPerSecond = clamp(metadata.engineTickRate ?? 20, 20, 60);
  const ticksPerSecond = physicsPerSecond === scriptsPerSecond ? physicsPerSecond : outerFramesPerSecond;
  return { ticksPerSecond, scriptsPerSecond, physicsPerSecond };
}

function clamp(rate: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, rate));
}

/** Whether the `tick`-th tick carries one of `perSecond` steps: the right number on average, and no drift. */
export function isDue(tick: number, perSecond: number, ticksPerSecond: number): boolean {
  return stepsBy(tick, perSecond, ticksPerSecond) > stepsBy(tick - 1, perSecond, ticksPerSecond);
}

/** Ticks from the step before the one that the `tick`-th tick carries to it; from the start, for the first. */
export function ticksSinceStep(tick: number, perSecond: number, ticksPerSecond: number): number {
  let since = 1;
  while (since < tick && !isDue(tick - since, perSecond, ticksPerSecond)) since++;
  return since;
}

function stepsBy(tick: number, perSecond: number, ticksPerSecond: number): number {
  // The small share absorbs the rounding of rates that divide the tick rate exactly.
  return Math.floor((tick * perSecond) / ticksPerSecond + 1e-9);
}

/** In one millisecond. A power of two, so that every time is a binary fraction. */
const timeSteps = 1024;

/**
 * When a tick is, simulated ms, to the nearest 1024th. Adding whole milliseconds to such a time is exact. At 60 ticks per second, 100 ms after tick
 * 7 is tick 13, and never a tick later by some last digit.
 */
export function timeMsOf(tick: number, ticksPerSecond: number): number {
  return Math.round((tick * 1000 * timeSteps) / ticksPerSecond) / timeSteps;
}

/** The clocks of a world that follow from its time. */
interface Clocks {
  readonly epochMs: number;
  nowMs: number;
  frameMs: number;
  loopMs: number;
  dateMs: number;
}

/** The frames of the recordings: a little longer than 1/60 s, so that none comes too early for a rate of 60 (reference: tick#clocks). */
const outerFrameMs = 16.666667;

/**
 * Sets the clocks of a world. With one rate there is only the simulated time, except for the AI. With two, life spans and uses go by outer frames as
 * the AI does, and what asks for the date gets whole ms.
 */
export class Timing {
  private readonly ticksPerSecond: number;
  private readonly hasFrames: boolean;

  constructor(rates: Rates, hasFrames: boolean) {
    this.ticksPerSecond = rates.ticksPerSecond;
    this.hasFrames = hasFrames;
  }

  atTick(clocks: Clocks, tick: number): void {
    const frameMs = this.frameMsOf((tick * outerFramesPerSecond) / this.ticksPerSecond);
    this.set(clocks, timeMsOf(tick, this.ticksPerSecond), frameMs);
  }

  /** The time of a tick, which may be a fraction, before anything happens in it. */
  beforeTick(clocks: Clocks, tick: number): void {
    this.between(clocks, timeMsOf(tick, this.ticksPerSecond));
  }

  /** Between two ticks. A moment that is that of a frame comes before it. */
  between(clocks: Clocks, nowMs: number): void {
    let frame = Math.max(0, Math.ceil((nowMs * outerFramesPerSecond) / 1000 - 1e-6) - 1);
    if (frame > 0 && this.hasFrames && this.frameMsOf(frame) >= nowMs) frame--;
    this.set(clocks, nowMs, this.frameMsOf(frame));
    if (!this.hasFrames) clocks.frameMs = (frame * 1000) / outerFramesPerSecond;
  }

  atFrame(clocks: Clocks, frame: number): void {
    this.set(clocks, this.frameTimeMs(frame), this.frameMsOf(frame));
  }

  /** When an outer frame is, as timers see it. At 20 ticks a second frames are at whole ms. */
  frameTimeMs(frame: number): number {
    return this.ticksPerSecond === wholeMsRate ? this.frameMsOf(frame) : timeMsOf(frame, outerFramesPerSecond);
  }

  /**
   * Length of a physics step at a tick, so many ticks after the step before. The reference subtracts dates; the last digits that this loses decide
   * where chaotic contacts go.
   */
  stepSeconds({ epochMs }: Clocks, tick: number, ticks: number): number {
    if (!this.hasFrames || this.ticksPerSecond === wholeMsRate) return ticks / this.ticksPerSecond;
    const framesPerTick = outerFramesPerSecond / this.ticksPerSecond;
    const then = epochMs + this.frameMsOf((tick - ticks) * framesPerTick);
    return (epochMs + this.frameMsOf(tick * framesPerTick) - then) / 1000;
  }

  private set(clocks: Clocks, nowMs: number, frameMs: number): void {
    clocks.nowMs = nowMs;
    clocks.frameMs = this.hasFrames ? frameMs : nowMs;
    clocks.loopMs = clocks.frameMs;
    clocks.dateMs = this.hasFrames ? Math.round(nowMs) : nowMs;
  }

  private frameMsOf(frame: number): number {
    return this.ticksPerSecond === wholeMsRate
      ? Math.round((frame * 1000) / outerFramesPerSecond)
      : frame * outerFrameMs;
  }
}

const wholeMsRate = 20;
