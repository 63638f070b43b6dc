/** The cost of a tick: measured, profiled, compared, and limited by requirements. */

// Measuring.
export { bench } from './bench.ts';
export { type BenchResult, benchSchema } from './result.ts';

// Comparing and requiring.
export { compareResults } from './compare.ts';
export { figureNames, judge, needsComparison, type Requirement } from './requirements.ts';

// Text.
export { benchText, widthMax } from './text.ts';
export { benchCsv } from './csv.ts';
