/** Numbers of many plays: percentiles, ratios with their certainty, counts by name. */

// Percentiles, medians, and estimates with their confidence intervals.
export {
  intervalOf,
  medianOf,
  type Percentiles,
  percentilesOf,
  type Ratio,
  ratioBetween,
  ratioOf,
  shareInterval,
} from './statistics.ts';

// How often each name occurs.
export { type Counts, countsOf, tally, totalOf } from './counts.ts';
