import type { Simulation } from '../../../engine/index.ts';

/**
 * A tick counts as slow only if it is slow in this many repetitions, because other work of the machine delays single
 * ticks.
 */
const repeats = 5;

/** Steps a simulation. If this tick takes more than the budget in each repetition, returns its shortest time in ms. */
export function stepWithin(sim: Simulation, budgetMs: number | undefined): number | undefined {
  if (budgetMs === undefined) {
    sim.step();
    return undefined;
  }
  const before = sim.fork();
  let leastMs = stepMs(sim);
  for (let i = 0; i < repeats && leastMs > budgetMs; i++) leastMs = Math.min(leastMs, stepMs(before.fork()));
  return leastMs > budgetMs ? leastMs : undefined;
}

function stepMs(sim: Simulation): number {
  const startMs = performance.now();
  sim.step();
  return performance.now() - startMs;
}
