import type { Simulation } from '../../../engine/index.ts';
import { actionsOfTick, internalsOf } from '../../../engine/tools.ts';

/** Ticks with up to this many actions are ordinary. */
const ordinaryActions = 50_000;
/** A living entity costs about as much as this many actions. */
const actionsPerEntity = 10;
const actionsPerTick = 500;

/** A play that has hit a limit ends when it has wasted the time of this many ticks. */
export const wasteMax = 6000;

/**
 * How much more than an ordinary tick the last tick has cost, in ordinary ticks: 0 for most ticks, 2000 for an endless
 * loop. Counted rather than timed, so that the result is the same on every machine.
 */
export function wasteOf(sim: Simulation): number {
  const actions = actionsOfTick(sim) + internalsOf(sim).world.entityCount * actionsPerEntity;
  return Math.max(0, Math.floor((actions - ordinaryActions) / actionsPerTick));
}
