import type { Simulation } from '../../../engine/index.ts';
import { actionsOfTick, internalsOf } from '../../../engine/tools.ts';

/** Ticks with less work are ordinary. */
const ordinaryActions = 50_000;
/** A living entity costs about as much as this many actions. */
const actionsPerEntity = 10;
const actionsPerTick = 500;

/** A play that has hit a limit ends when it has wasted the time of this many ticks. */
export const wasteMax = 6000;

/**
 * The number of ordinary ticks that the last tick has cost, beyond itself: 0 for most, 2000 for an endless loop.
 * Counted rather than timed, so that it is the same on every machine.
 */
export function wasteOf(sim: Simulation): number {
  const actions = actionsOfTick(sim) + internalsOf(sim).world.entityCount * actionsPerEntity;
  return Math.max(0, Math.floor((actions - ordinaryActions) / actionsPerTick));
}
