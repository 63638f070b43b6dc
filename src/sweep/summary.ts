import { intervalOf, medianOf, type Ratio, shareInterval } from '../statistics/index.ts';
import type { ParameterPoint, Setting } from './plan.ts';
import type { Answer } from './play-one.ts';
import type { Result } from './results.ts';

export interface Extreme {
  readonly value: Answer;
  readonly seed: string;
  readonly point: ParameterPoint;
}

/** Statistics of a measure over several runs. */
export interface MeasureSummary {
  /**
   * `share`: fraction of runs in which it was true. `mean`: of numbers. `texts`: frequency of each. `nothing`: it never
   * had a value.
   */
  readonly kind: 'share' | 'mean' | 'texts' | 'nothing';
  /** Runs in which it had a value. */
  readonly count: number;
  /** Runs in which it had no value. */
  readonly missing: number;
  readonly estimate: Ratio | null;
  readonly median: number | null;
  readonly deviation: number | null;
  readonly min: Extreme | null;
  readonly max: Extreme | null;
  readonly texts: Readonly<Record<string, number>> | null;
}

export interface PointSummary {
  readonly point: ParameterPoint;
  readonly plays: number;
  readonly measures: readonly MeasureSummary[];
}

export interface SweepSummary {
  readonly settings: readonly Setting[];
  readonly measures: readonly string[];
  readonly points: readonly PointSummary[];
  /** Over all points. */
  readonly whole: readonly MeasureSummary[];
  /** Settings whose value never changed the outcome of a run, perhaps because a script overwrites it. */
  readonly idle: readonly string[];
}

/** Summarises results, which must be in the order of the runs. */
export function summarise(
  settings: readonly Setting[],
  measures: readonly string[],
  results: readonly Result[],
): SweepSummary {
  const groups = new Map<string, Result[]>();
  for (const result of results) {
    const key = JSON.stringify(result.point);
    const group = groups.get(key);
    if (group) group.push(result);
    else groups.set(key, [result]);
  }
  const all = (plays: readonly Result[]): MeasureSummary[] => measures.map((_, index) => measured(plays, index));
  const points = [...groups.values()].map((plays) => ({
    point: plays[0]!.point,
    plays: plays.length,
    measures: all(plays),
  }));
  const idle = settings.flatMap(({ path }, index) => (isIdle(index, results) ? [path] : []));
  return { settings, measures, points, whole: all(results), idle };
}

/** Whether runs that differ only in this setting all have the same outcome. False if there are no such runs. */
function isIdle(setting: number, results: readonly Result[]): boolean {
  const outcomes = new Map<string, string>();
  let isCompared = false;
  for (const { point, seed, ticks, ending, answers } of results) {
    const others = JSON.stringify([seed, point.filter((_, index) => index !== setting)]);
    const outcome = JSON.stringify([ticks, ending, answers]);
    const known = outcomes.get(others);
    if (known === undefined) outcomes.set(others, outcome);
    else if (known !== outcome) return false;
    else isCompared = true;
  }
  return isCompared;
}

function measured(plays: readonly Result[], index: number): MeasureSummary {
  const there = plays.filter(({ answers }) => answers[index] !== null && answers[index] !== undefined);
  const answers = there.map((play) => play.answers[index]!);
  const base = { count: there.length, missing: plays.length - there.length };
  const none = { estimate: null, median: null, deviation: null, min: null, max: null, texts: null };
  if (there.length === 0) return { kind: 'nothing', ...base, ...none };
  if (answers.some((answer) => typeof answer === 'string')) {
    const texts: Record<string, number> = {};
    for (const answer of answers) texts[String(answer)] = (texts[String(answer)] ?? 0) + 1;
    return { kind: 'texts', ...base, ...none, texts };
  }
  const numbers = answers.map(Number);
  const isShare = answers.every((answer) => typeof answer === 'boolean');
  const extreme = (value: number): Extreme => {
    const { point, seed } = there[numbers.indexOf(value)]!;
    return { value: isShare ? value === 1 : value, seed, point };
  };
  const interval = intervalOf(numbers);
  return {
    kind: isShare ? 'share' : 'mean',
    ...base,
    ...none,
    estimate: isShare ? shareInterval(numbers.filter((number) => number === 1).length, numbers.length) : interval,
    median: isShare ? null : medianOf(numbers),
    deviation: isShare ? null : interval.deviation,
    min: extreme(numbers.reduce((a, b) => Math.min(a, b))),
    max: extreme(numbers.reduce((a, b) => Math.max(a, b))),
  };
}
