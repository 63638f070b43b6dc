/** The same game with many settings and seeds, measured. */

// The plan and its runs.
export { changesOf, playsOf, type Setting, settingOf, type SweepPlan } from './plan.ts';
export { seedsOf } from './values.ts';
export { runSweep } from './run-sweep.ts';
export { SweepError } from './sweep-error.ts';

// Results.
export { isSweepResults, readResults, type Result, ResultsFile, type SweepIdentity } from './results.ts';
export { mergeSweep } from './merge.ts';
export { type PointSummary, summarise, type SweepSummary } from './summary.ts';
export { measureText, replayText, shortPaths, sweepCsv, sweepText } from './texts.ts';
