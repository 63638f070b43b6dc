import { type Dictionary, mapMembers } from '../../engine/core/index.ts';
import { comparePlain } from '../expression/index.ts';
import { type Percentiles, type Ratio, ratioBetween } from '../statistics/index.ts';
import { amount } from '../text/index.ts';
import type { Comparison } from './compare.ts';
import type { BenchResult, Counters, GameResult, ScaleResult } from './result.ts';

const percentiles: Dictionary<keyof Percentiles> = {
  mean: 'mean',
  p50: 'p50',
  median: 'p50',
  p90: 'p90',
  p95: 'p95',
  p99: 'p99',
  'p99.9': 'p999',
  max: 'max',
};
const counters: readonly (keyof Counters)[] = [
  'ticks',
  'actions',
  'scriptRuns',
  'triggers',
  'contacts',
  'entityVisits',
  'outputs',
  'faults',
];
const own = [...Object.keys(percentiles), ...counters, 'players'];
/**
 * The figures that a requirement can name. `same`, `ratio` and the names with `before.` need a baseline; for `ratio`,
 * several games are enough.
 */
export const figureNames: readonly string[] = [
  ...own,
  'capacity',
  'ratio',
  'same',
  ...own.map((name) => `before.${name}`),
];

/** A comparison that must hold for every game and every number of bots, such as `actions <= 1.05 * before.actions`. */
export interface Requirement {
  readonly text: string;
  readonly figure: string;
  readonly operator: Parameters<typeof comparePlain>[0];
  /** The right side of the comparison: this number, times the figure `other` if it is given. */
  readonly factor: number;
  readonly other?: string | undefined;
}

function namesOf({ figure, other }: Requirement) {
  return other === undefined ? [figure] : [figure, other];
}

/**
 * Whether checking a requirement needs another result: a saved baseline, or for `ratio` either a baseline or several
 * games.
 */
export function needsComparison(requirement: Requirement): 'baseline' | 'ratio' | undefined {
  const names = namesOf(requirement);
  if (names.some((name) => name === 'same' || name.startsWith('before.'))) return 'baseline';
  return names.includes('ratio') ? 'ratio' : undefined;
}

interface Judgement {
  /** One line for each requirement that is not met. */
  readonly unmet: readonly string[];
  /**
   * One line for each requirement that cannot be decided, because the limit is inside the confidence interval of the
   * ratio.
   */
  readonly undecided: readonly string[];
}

/**
 * Checks requirements. A requirement with `ratio` counts as unmet only if the whole 95 % confidence interval of the
 * ratio is beyond the limit.
 */
export function judge(
  { games }: BenchResult,
  requirements: readonly Requirement[],
  comparisons: readonly Comparison[] | undefined,
): Judgement {
  const unmet: string[] = [];
  const undecided: string[] = [];
  for (const [index, game] of games.entries()) {
    for (const scale of game.scales) {
      const comparison = comparisons?.find(({ file, bots }) => file === game.file && bots === scale.bots);
      const ratio = comparison === undefined ? game.ratio : ratioTo(scale, comparison);
      const where = `${game.file} with ${amount(scale.bots, 'bot')}`;
      for (const requirement of requirements) {
        const { text } = requirement;
        const needed = needsComparison(requirement);
        if (needed === 'ratio' && comparisons === undefined && index === 0) continue;
        const isIncomparable = comparison === undefined || comparison.verdict === 'other-options';
        if (needed !== undefined && comparisons !== undefined && isIncomparable) {
          const why =
            comparison === undefined ? 'does not contain this measurement' : 'has another seed, dialect or length';
          unmet.push(`${text} cannot be decided: ${where}: the baseline ${why}`);
          continue;
        }
        const figures = figuresOf(game, scale, comparison, ratio);
        const bounds = [ratio?.low ?? ratio?.value, ratio?.high ?? ratio?.value];
        const answers = bounds.map((bound) => holds(requirement, { ...figures, ratio: bound }));
        if (answers.every(Boolean)) continue;
        const line = `${where}: ${namesOf(requirement)
          .map((name) => `${name} is ${shown(figures[name])}${name === 'ratio' ? intervalText(ratio) : ''}`)
          .join(', ')}`;
        if (answers.some(Boolean))
          undecided.push(`${text} may not hold: ${line}; a larger --runs narrows the interval`);
        else unmet.push(`${text} does not hold: ${line}`);
      }
    }
  }
  return { unmet, undecided };
}

type Figures = Dictionary<number | boolean | undefined>;

function holds({ figure, operator, factor, other }: Requirement, figures: Figures) {
  return comparePlain(operator, Number(figures[figure]), factor * Number(other === undefined ? 1 : figures[other]));
}

function figuresOf(
  game: GameResult,
  scale: ScaleResult,
  comparison: Comparison | undefined,
  ratio: Ratio | null,
): Figures {
  const plain = ({ typical, counters: counted, players }: ScaleResult): Figures => ({
    ...mapMembers(percentiles, (key) => typical.tickMs[key]),
    ...counted,
    players,
  });
  const figures = { ...plain(scale), capacity: game.capacity.players, ratio: ratio?.value };
  if (comparison === undefined) return figures;
  const before = Object.entries(plain(comparison.then)).map(([name, value]) => [`before.${name}`, value]);
  const same = comparison.verdict === 'same' && comparison.changed.length === 0;
  return { ...figures, ...Object.fromEntries(before), same };
}

function ratioTo({ runs }: ScaleResult, { then }: Comparison): Ratio {
  const medians = (all: ScaleResult['runs']) => all.map(({ tickMs }) => tickMs.p50);
  return ratioBetween(medians(runs), medians(then.runs));
}

function intervalText(ratio: Ratio | null) {
  return ratio?.low == null ? '' : ` (${shown(ratio.low)} to ${shown(ratio.high!)})`;
}

function shown(value: number | boolean | undefined) {
  return typeof value === 'number' && !Number.isInteger(value) ? value.toFixed(3) : String(value);
}
