import type { Simulation } from '../../../engine/index.ts';

/** A tick counts as slow only if it is slow each time: other work of the machine delays single ones. */
const repeats = 5;

/** Steps a simulation. Returns the least time that this tick takes if that is more than the budget. */
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
