/** Measures the cost of a tick, profiles it, compares it with saved results, and checks requirements on it. */

// Measuring games.
export { bench } from './bench.ts';
export { type BenchResult, benchSchema } from './result.ts';

// Comparing results and checking requirements.
export { compareResults } from './compare.ts';
export { figureNames, judge, needsComparison, type Requirement } from './requirements.ts';

// Formatting results as a report and as CSV.
export { benchText, widthMax } from './text.ts';
export { benchCsv } from './csv.ts';
