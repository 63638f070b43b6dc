/** Of a metric: the upper bound of each bucket of its histogram, s, and how many were not above. */
export type Buckets = ReadonlyMap<number, number>;

/** The figures of a server in the Prometheus text format, as far as a crowd needs them. Labels are added up. */
export interface ServerFigures {
  readonly overruns: number;
  /** Of processor time, by all threads since the start; NaN where it is unknown. */
  readonly cpuSeconds: number;
  readonly memoryBytes: number;
  readonly tickSeconds: Buckets;
  readonly encodeSeconds: Buckets;
  readonly lateSeconds: Buckets;
}

const line = /^(\w+)(?:\{(.*)\})? (\S+)$/;

export function serverFigures(text: string): ServerFigures {
  let overruns = 0;
  let cpuSeconds = Number.NaN;
  let memoryBytes = Number.NaN;
  const buckets = {
    reenact_tick_seconds: new Map(),
    reenact_encode_seconds: new Map(),
    reenact_tick_late_seconds: new Map(),
  };
  for (const each of text.split('\n')) {
    const [, name = '', labels = '', value = ''] = line.exec(each) ?? [];
    if (name === 'reenact_tick_overruns_total') overruns += Number(value);
    else if (name === 'process_cpu_seconds_total') cpuSeconds = Number(value);
    else if (name === 'process_resident_memory_bytes') memoryBytes = Number(value);
    const histogram = (buckets as Record<string, Map<number, number>>)[name.replace(/_bucket$/, '')];
    const bound = /(?:^|,)le="([^"]+)"/.exec(labels)?.[1];
    if (histogram === undefined || bound === undefined) continue;
    const upper = bound === '+Inf' ? Number.POSITIVE_INFINITY : Number(bound);
    histogram.set(upper, (histogram.get(upper) ?? 0) + Number(value));
  }
  return {
    overruns,
    cpuSeconds,
    memoryBytes,
    tickSeconds: buckets.reenact_tick_seconds,
    encodeSeconds: buckets.reenact_encode_seconds,
    lateSeconds: buckets.reenact_tick_late_seconds,
  };
}

/** The counts that a histogram gained in between. */
export function bucketsSince(before: Buckets, after: Buckets): Buckets {
  return new Map(Array.from(after, ([bound, count]) => [bound, count - (before.get(bound) ?? 0)]));
}

/** As Prometheus estimates it: on the straight line through a bucket. Seconds; NaN where nothing was counted. */
export function quantileOf(buckets: Buckets, quantile: number): number {
  const sorted = [...buckets].sort(([a], [b]) => a - b);
  const total = sorted.at(-1)?.[1] ?? 0;
  if (total === 0) return Number.NaN;
  let lower = 0;
  let below = 0;
  for (const [upper, count] of sorted) {
    if (count >= total * quantile && count > below) {
      if (upper === Number.POSITIVE_INFINITY) return lower;
      return lower + ((total * quantile - below) / (count - below)) * (upper - lower);
    }
    lower = upper;
    below = count;
  }
  return lower;
}
