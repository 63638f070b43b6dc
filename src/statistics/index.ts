/** Statistics over many plays: percentiles, ratios with confidence intervals, counts by name. */

// Percentiles, medians, and estimates with their confidence intervals:
export {
  medianOf,
  type Percentiles,
  percentilesOf,
  type Ratio,
  ratioBetween,
  ratioOf,
} from './statistics.ts';

// How often each name occurs:
export { type Counts, countsOf, totalOf } from './counts.ts';
