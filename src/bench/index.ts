/** The cost of a tick: measured, profiled, compared, and limited by requirements. */

// Measuring.
export { bench } from './bench.ts';
export { type BenchResult, benchSchema } from './result.ts';

// Comparing and requiring.
export { compareResults } from './compare.ts';
export { judge, needsComparison, type Requirement, requirementOf } from './requirements.ts';

// Text.
export { benchText, interruptedText, widthMax } from './text.ts';
export { benchCsv } from './csv.ts';
