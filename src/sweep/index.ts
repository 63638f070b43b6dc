/** The same game with many settings and seeds, measured. */

export { playsOf, type Setting, type SweepPlan, type SweepValue } from './plan.ts';
export { runSweep } from './run-sweep.ts';
export { summarise } from './summary.ts';
export { sweepCsv, sweepText } from './texts.ts';
