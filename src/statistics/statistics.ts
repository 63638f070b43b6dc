export interface Percentiles {
  readonly mean: number;
  readonly p50: number;
  readonly p90: number;
  readonly p95: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
}

/**
 * An estimate, such as a ratio of median tick times, with its 95 % confidence interval; null for fewer than three
 * rounds.
 */
export interface Ratio {
  readonly value: number;
  readonly low: number | null;
  readonly high: number | null;
}

export function percentilesOf(times: readonly number[]): Percentiles {
  const sorted = Float64Array.from(times).sort();
  const at = (share: number) => {
    return sorted.length === 0 ? 0 : sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)]!;
  };
  const mean = times.length === 0 ? 0 : times.reduce((sum, time) => sum + time, 0) / times.length;
  return { mean, p50: at(0.5), p90: at(0.9), p95: at(0.95), p99: at(0.99), p999: at(0.999), max: at(1) };
}

export function medianOf(values: readonly number[]): number {
  return percentilesOf(values).p50;
}

/**
 * Two-sided 95 % quantiles of Student's t for 1, 2, 3 … degrees of freedom. For more degrees than listed, the normal
 * quantile is used.
 */
const student = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131,
];
const normal = 1.96;

/** The mean with its 95 % confidence interval. The bounds are null for fewer than three values. */
export function intervalOf(values: readonly number[]): Ratio {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  if (values.length < 3) return { value: mean, low: null, high: null };
  const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1));
  const reach = ((student[values.length - 2] ?? normal) * deviation) / Math.sqrt(values.length);
  return { value: mean, low: mean - reach, high: mean + reach };
}

/** If either sample has fewer values than this, there is no interval. */
const betweenMin = 4;

/**
 * Estimates how many times larger one sample of positive values is than another; the samples are independent. The
 * estimate is the median of all pairwise ratios (Hodges–Lehmann). Its 95 % interval is valid for any distribution
 * (Mann–Whitney ranks).
 */
export function ratioBetween(values: readonly number[], base: readonly number[]): Ratio {
  const ratios = Float64Array.from(values.flatMap((value) => base.map((other) => value / other))).sort();
  const count = ratios.length;
  const value = (ratios[(count - 1) >> 1]! + ratios[count >> 1]!) / 2;
  if (values.length < betweenMin || base.length < betweenMin) return { value, low: null, high: null };
  const reach = normal * Math.sqrt((count * (values.length + base.length + 1)) / 12);
  const rank = Math.max(0, Math.floor(count / 2 - reach));
  return { value, low: ratios[rank]!, high: ratios[count - 1 - rank]! };
}

/**
 * The geometric mean of the ratios of interleaved rounds, so that slow phases of the machine cancel out. It averages
 * logarithms, because times are skewed and their logarithms are not.
 */
export function ratioOf(times: readonly number[], base: readonly number[]): Ratio {
  const { value, low, high } = intervalOf(times.map((time, i) => Math.log(time / base[i]!)));
  return {
    value: Math.exp(value),
    low: low === null ? null : Math.exp(low),
    high: high === null ? null : Math.exp(high),
  };
}
