export interface Percentiles {
  readonly mean: number;
  readonly p50: number;
  readonly p90: number;
  readonly p95: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
}

/** A ratio of median ticks, with the interval that holds it with 95 % confidence; null for fewer than three rounds. */
export interface Ratio {
  readonly value: number;
  readonly low: number | null;
  readonly high: number | null;
}

export function percentilesOf(times: readonly number[]): Percentiles {
  const sorted = Float64Array.from(times).sort();
  const at = (share: number): number => {
    return sorted.length === 0 ? 0 : sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)]!;
  };
  const mean = times.length === 0 ? 0 : times.reduce((sum, time) => sum + time, 0) / times.length;
  return { mean, p50: at(0.5), p90: at(0.9), p95: at(0.95), p99: at(0.99), p999: at(0.999), max: at(1) };
}

export function medianOf(values: readonly number[]): number {
  return percentilesOf(values).p50;
}

/** Two-sided 95 % quantiles of Student's t for 1, 2, 3 … degrees of freedom; more than these are all but normal. */
const student = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131,
];
const normal = 1.96;

/**
 * The geometric mean of the ratios of rounds that took turns, so that what the machine did to both cancels out. Times are skewed, their
 * logarithms are not.
 */
export function ratioOf(times: readonly number[], base: readonly number[]): Ratio {
  const logs = times.map((time, i) => Math.log(time / base[i]!));
  const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length;
  if (logs.length < 3) return { value: Math.exp(mean), low: null, high: null };
  const variance = logs.reduce((sum, log) => sum + (log - mean) ** 2, 0) / (logs.length - 1);
  const reach = (student[logs.length - 2] ?? normal) * Math.sqrt(variance / logs.length);
  return { value: Math.exp(mean), low: Math.exp(mean - reach), high: Math.exp(mean + reach) };
}
