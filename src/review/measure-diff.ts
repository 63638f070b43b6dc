import type { LoadedGame } from '../../engine/index.ts';
import { nameText } from '../expression/index.ts';
import { intervalOf, type Ratio } from '../statistics/index.ts';
import { type Answer, playOne, type SweepPlan } from '../sweep/index.ts';

/** A measure of both games at the end of each run; seeds in which it has no value in either are left out. */
export interface MeasureDiff {
  readonly measure: string;
  /** Means; null for texts, which have none. */
  readonly before: number | null;
  readonly after: number | null;
  /** The mean of the new game minus the old one, seed by seed, with its 95 % interval; null for texts. */
  readonly difference: Ratio | null;
  /** The number of seeds with a value in both games, and of those in which the values differ. */
  readonly seeds: number;
  readonly differing: number;
}

/**
 * The measures that are compared by default: the counts of faults and entities, and all number variables that both
 * games have.
 */
export function defaultMeasures(before: LoadedGame, after: LoadedGame): string[] {
  const numbers = [...after.definition.variables].flatMap(([name, { dataType }]) =>
    dataType === 'number' && before.definition.variables.get(name)?.dataType === 'number' ? [nameText(name)] : [],
  );
  return ['faults', 'units', 'items', 'projectiles', ...numbers];
}

/** Plays both games with the same seeds and compares the measures. Throws `ExpressionError` for an invalid measure. */
export async function measureDiffs(
  before: LoadedGame,
  after: LoadedGame,
  seeds: readonly string[],
  plan: SweepPlan,
  progress: (done: number) => void,
): Promise<MeasureDiff[]> {
  const rows: (readonly [readonly Answer[], readonly Answer[]])[] = [];
  for (const seed of seeds) {
    const old = await playOne(before, plan, seed);
    const now = await playOne(after, plan, seed);
    rows.push([old.answers, now.answers]);
    progress(rows.length);
  }
  return plan.measures.map((measure, index) => {
    const pairs = rows
      .map(([old, now]) => [old[index]!, now[index]!] as const)
      .filter(([old, now]) => old !== null && now !== null);
    return measureDiff(measure, pairs);
  });
}

function measureDiff(measure: string, pairs: readonly (readonly [Answer, Answer])[]): MeasureDiff {
  const differing = pairs.filter(([old, now]) => old !== now).length;
  const base = { measure, seeds: pairs.length, differing };
  const isNumeric = pairs.length > 0 && pairs.every((pair) => pair.every((answer) => typeof answer !== 'string'));
  if (!isNumeric) return { ...base, before: null, after: null, difference: null };
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const { value, low, high } = intervalOf(pairs.map(([old, now]) => Number(now) - Number(old)));
  return {
    ...base,
    before: mean(pairs.map(([old]) => Number(old))),
    after: mean(pairs.map(([, now]) => Number(now))),
    difference: { value, low, high },
  };
}
