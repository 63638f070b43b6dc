import { type Counts, intervalOf, type Ratio, shareInterval, tally } from '../statistics/index.ts';
import type { Answer, Result, Setting, SweepPlan, SweepPlay } from './plan.ts';

/** The run with the lowest or the highest value of a measure. */
export interface Extreme extends SweepPlay {
  readonly value: Answer;
}

/** Statistics of a measure over several runs. */
export interface MeasureSummary {
  /** `share`: of the runs in which it is true. `mean`: of numbers. `texts`: counts. `nothing`: it never has a value. */
  readonly kind: 'share' | 'mean' | 'texts' | 'nothing';
  /** Runs in which it had a value. */
  readonly count: number;
  /** Runs in which it had no value. */
  readonly missing: number;
  readonly estimate: Ratio | null;
  readonly min: Extreme | null;
  readonly max: Extreme | null;
  readonly texts: Counts | null;
}

interface PointSummary {
  readonly point: SweepPlay['point'];
  readonly plays: number;
  /** In the order of the plan. */
  readonly measures: readonly MeasureSummary[];
}

export interface SweepSummary {
  readonly plan: SweepPlan;
  readonly settings: readonly Setting[];
  readonly points: readonly PointSummary[];
  /** Over all points. */
  readonly whole: readonly MeasureSummary[];
  /** Paths whose values never changed the outcome of a run, perhaps because a script overwrites them. */
  readonly idle: readonly string[];
}

/** Summarises results, which must be in the order of the runs. */
export function summarise(plan: SweepPlan, settings: readonly Setting[], results: readonly Result[]): SweepSummary {
  const groups = new Map<string, Result[]>();
  for (const result of results) {
    const key = JSON.stringify(result.point);
    const group = groups.get(key);
    if (group) group.push(result);
    else groups.set(key, [result]);
  }
  const measured = (plays: readonly Result[]) => plan.measures.map((_, index) => measureOf(plays, index));
  return {
    plan,
    settings,
    points: Array.from(groups.values(), (plays) => ({
      point: plays[0]!.point,
      plays: plays.length,
      measures: measured(plays),
    })),
    whole: measured(results),
    idle: settings.filter((_, index) => isIdle(index, results)).map(({ path }) => path),
  };
}

/** Whether runs that differ only in this setting all have the same outcome. False if there are no such runs. */
function isIdle(setting: number, results: readonly Result[]): boolean {
  const others = new Set<string>();
  const outcomes = new Set<string>();
  for (const { point, seed, ticks, ending, answers } of results) {
    const other = [seed, point.filter((_, index) => index !== setting)];
    others.add(JSON.stringify(other));
    outcomes.add(JSON.stringify([other, ticks, ending, answers]));
  }
  return others.size < results.length && outcomes.size === others.size;
}

function measureOf(plays: readonly Result[], index: number): MeasureSummary {
  const values = plays
    .map(({ point, seed, answers }): Extreme => ({ value: answers[index]!, point, seed }))
    .filter(({ value }) => value !== null);
  const base = { count: values.length, missing: plays.length - values.length };
  const none = { estimate: null, min: null, max: null, texts: null };
  if (values.length === 0) return { kind: 'nothing', ...base, ...none };
  if (values.some(({ value }) => typeof value === 'string'))
    return { kind: 'texts', ...base, ...none, texts: tally(values.map(({ value }) => String(value))) };
  const isShare = values.every(({ value }) => typeof value === 'boolean');
  const numbers = values.map(({ value }) => Number(value));
  const sorted = [...values].sort((a, b) => Number(a.value) - Number(b.value));
  return {
    kind: isShare ? 'share' : 'mean',
    ...base,
    estimate: isShare ? shareInterval(numbers.filter(Boolean).length, numbers.length) : intervalOf(numbers),
    min: sorted[0]!,
    max: sorted.at(-1)!,
    texts: null,
  };
}
