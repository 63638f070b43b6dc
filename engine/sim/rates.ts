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
  if (dialect.rates === 'one') {
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
