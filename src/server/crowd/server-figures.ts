import type { Dictionary } from '../../../engine/core/index.ts';

/** A cumulative histogram: for each upper bound of a bucket, in seconds, the number of values up to it. */
type Buckets = Map<number, number>;

const line = /^(\w+)(?:\{(.*)\})? (\S+)$/;
const cpu = 'process_cpu_seconds_total';

/**
 * The growth of a server's metrics between scrapes in the Prometheus text format, summed over labels. Each series is
 * tracked separately, because the series of ended rooms disappear, and all series restart from zero with the process.
 */
export class ServerFigures {
  overruns = 0;
  /** Processor time of all threads, in seconds; NaN if unknown. */
  cpuSeconds = NaN;
  memoryBytes = NaN;
  /** How many times the process was restarted. */
  restarts = 0;
  readonly tickSeconds: Buckets = new Map();
  readonly encodeSeconds: Buckets = new Map();
  readonly lateSeconds: Buckets = new Map();
  private last: ReadonlyMap<string, number> | undefined;

  /** Adds a scrape, in the Prometheus text format. The first one is the baseline. */
  scrape(text: string) {
    const { last } = this;
    const series = new Map<string, number>();
    for (const each of text.split('\n')) {
      const [, name = '', labels = '', value = ''] = line.exec(each) ?? [];
      if (name !== '') series.set(`${name}{${labels}}`, Number(value));
    }
    this.last = series;
    const isRestart = last !== undefined && (series.get(`${cpu}{}`) ?? 0) < (last.get(`${cpu}{}`) ?? 0);
    if (isRestart) this.restarts++;
    for (const [key, value] of series) {
      const [, name = '', labels = ''] = /^(\w+)\{(.*)\}$/.exec(key)!;
      const before = isRestart ? 0 : (last?.get(key) ?? 0);
      this.add(name, labels, value, last === undefined ? 0 : value - (value < before ? 0 : before));
    }
  }

  private add(name: string, labels: string, value: number, growth: number) {
    if (name === 'reenact_tick_overruns_total') this.overruns += growth;
    else if (name === cpu) this.cpuSeconds = (Number.isNaN(this.cpuSeconds) ? 0 : this.cpuSeconds) + growth;
    else if (name === 'process_resident_memory_bytes') this.memoryBytes = value;
    const histograms: Dictionary<Buckets> = {
      reenact_tick_seconds_bucket: this.tickSeconds,
      reenact_encode_seconds_bucket: this.encodeSeconds,
      reenact_tick_late_seconds_bucket: this.lateSeconds,
    };
    const buckets = histograms[name];
    const bound = /(?:^|,)le="([^"]+)"/.exec(labels)?.[1];
    if (buckets === undefined || bound === undefined) return;
    const upper = bound === '+Inf' ? Infinity : Number(bound);
    buckets.set(upper, (buckets.get(upper) ?? 0) + growth);
  }
}

/**
 * Estimates a quantile like Prometheus, by linear interpolation within a bucket. Returns seconds; NaN for an empty
 * histogram.
 */
export function quantileOf(buckets: ReadonlyMap<number, number>, quantile: number): number {
  const sorted = [...buckets].sort(([a], [b]) => a - b);
  const total = sorted.at(-1)?.[1] ?? 0;
  if (total === 0) return NaN;
  let lower = 0;
  let below = 0;
  for (const [upper, count] of sorted) {
    if (count >= total * quantile && count > below) {
      if (upper === Infinity) return lower;
      return lower + ((total * quantile - below) / (count - below)) * (upper - lower);
    }
    lower = upper;
    below = count;
  }
  return lower;
}
