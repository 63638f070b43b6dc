import { calculate, comparePlain, ExpressionError, type Node, parseExpression } from '../expression/index.ts';
import { type Percentiles, type Ratio, ratioBetween } from '../statistics/index.ts';
import { amount, closestWord } from '../text/index.ts';
import { type Comparison, compareResults } from './compare.ts';
import type { BenchResult, Counters, GameResult, ScaleResult } from './result.ts';

/** An expression that must hold for every game and every number of bots. */
export interface Requirement {
  readonly text: string;
  readonly evaluate: Evaluate;
  /** The figures that it names. */
  readonly names: ReadonlySet<string>;
}

type Figures = Readonly<Record<string, number | boolean | undefined>>;
type Evaluate = (figures: Figures) => number | boolean;

const percentiles: Readonly<Record<string, keyof Percentiles>> = {
  mean: 'mean',
  p50: 'p50',
  median: 'p50',
  p90: 'p90',
  p95: 'p95',
  p99: 'p99',
  p999: 'p999',
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
/** The figures that need a baseline, or for `ratio` several games. */
const compared: ReadonlySet<string> = new Set(['ratio', 'same', ...own.map((name) => `before.${name}`)]);
const figureNames: readonly string[] = [...own, ...compared];

/** Parses `p99 < 8 ms`, `actions <= 1.05 * before.actions`, `ratio < 1.1 and same`. Throws `ExpressionError`. */
export function requirementOf(text: string): Requirement {
  // Units, the name with a dot, and the name that is also a function of expressions, without moving what follows.
  const plain = text
    .replace(/(\d)\s*ms\b/g, (whole, digit: string) => digit.padEnd(whole.length))
    .replace(/\bp99\.9\b/g, 'p999 ')
    .replace(/\bmax\b/g, 'mäx');
  const meant = (each: string): string => each.trim().replaceAll('mäx', 'max');
  let root: Node;
  try {
    root = parseExpression(plain);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    throw new ExpressionError(error.code, error.message.replaceAll('mäx', 'max'), text, error.offset);
  }
  const names = new Set<string>();
  const figure = (node: Node): Evaluate => {
    const name = meant(plain.slice(node.from, node.to));
    if (!figureNames.includes(name)) {
      const near = closestWord(name, figureNames);
      const hint =
        near === undefined
          ? ` Figures are ${figureNames.slice(0, own.length + 2).join(', ')}.`
          : ` Did you mean "${near}"?`;
      throw new ExpressionError('expression-unknown-name', `No figure is called "${name}".${hint}`, text, node.from);
    }
    names.add(name);
    return (figures) => figures[name] ?? Number.NaN;
  };
  const compiled = (node: Node): Evaluate => {
    switch (node.kind) {
      case 'literal':
        return () => Number(node.value);
      case 'and':
      case 'or': {
        const parts = node.of.map(compiled);
        const combine = node.kind === 'and' ? 'every' : 'some';
        return (figures) => parts[combine]((part) => part(figures) === true);
      }
      case 'not': {
        const of = compiled(node.of);
        return (figures) => of(figures) !== true;
      }
      case 'minus': {
        const of = compiled(node.of);
        return (figures) => -of(figures);
      }
      case 'arithmetic':
      case 'compare': {
        const [left, right] = [compiled(node.left), compiled(node.right)];
        return (figures) => {
          const [a, b] = [Number(left(figures)), Number(right(figures))];
          return node.kind === 'compare' ? comparePlain(node.operator, a, b) : calculate(node.operator, a, b);
        };
      }
      default:
        return figure(node);
    }
  };
  const evaluate = compiled(root);
  if (!isCondition(root)) {
    const message = 'A requirement is a comparison, such as "p99 < 8 ms".';
    throw new ExpressionError('expression-syntax', message, text, text.length);
  }
  return { text: text.trim(), evaluate, names };
}

function isCondition(node: Node): boolean {
  if (node.kind === 'and' || node.kind === 'or') return node.of.every(isCondition);
  if (node.kind === 'not') return isCondition(node.of);
  return node.kind === 'compare' || (node.kind === 'path' && node.head.text === 'same');
}

/** Whether a requirement compares with something: a baseline, or for `ratio` the first of several games. */
export function needsComparison({ names }: Requirement): 'baseline' | 'ratio' | undefined {
  const needed = [...names].filter((name) => compared.has(name));
  return needed.length === 0 ? undefined : needed.every((name) => name === 'ratio') ? 'ratio' : 'baseline';
}

interface Judgement {
  /** One line for each requirement that does not hold. */
  readonly unmet: readonly string[];
  /** One line for each that holds or not depending on chance. */
  readonly undecided: readonly string[];
}

/** A requirement with `ratio` fails only if the whole 95 % interval of the ratio is beyond the limit. */
export function judge(
  result: BenchResult,
  requirements: readonly Requirement[],
  playersMin: number | undefined,
  baseline: BenchResult | undefined,
): Judgement {
  const unmet: string[] = [];
  const undecided: string[] = [];
  const comparisons = baseline === undefined ? [] : compareResults(result, baseline);
  for (const [index, game] of result.games.entries()) {
    for (const scale of game.scales) {
      const comparison = comparisons.find(({ file, bots }) => file === game.file && bots === scale.bots);
      for (const requirement of requirements) {
        const { text, evaluate, names } = requirement;
        const needed = needsComparison(requirement);
        if (needed === 'ratio' && baseline === undefined && index === 0) continue;
        const where = `${game.file} with ${amount(scale.bots, 'bot')}`;
        if (
          needed !== undefined &&
          baseline !== undefined &&
          comparison?.verdict !== 'same' &&
          comparison?.verdict !== 'invalid'
        ) {
          const why = comparison === undefined ? 'does not have it' : 'has another seed, dialect or length';
          unmet.push(`${text} cannot be decided: ${where}: the baseline ${why}`);
          continue;
        }
        const ratio = names.has('ratio') ? (comparison === undefined ? game.ratio : ratioTo(scale, comparison)) : null;
        const figuresAt = (share: number | undefined) => figuresOf(scale, comparison, share);
        const bounds =
          ratio === null ? [undefined] : [ratio.low ?? ratio.value, ratio.value, ratio.high ?? ratio.value];
        const answers = bounds.map((share) => evaluate(figuresAt(share)) === true);
        if (answers.every((holds) => holds)) continue;
        const values = [...names].map((name) => {
          const value = figuresAt(ratio?.value)[name];
          const interval =
            name === 'ratio' && ratio?.low != null ? ` (${shown(ratio.low)} to ${shown(ratio.high!)})` : '';
          return `${name} is ${typeof value === 'number' ? shown(value) : String(value)}${interval}`;
        });
        const line = `${where}: ${values.join(', ')}`;
        if (answers.some((holds) => holds))
          undecided.push(`${text} may not hold: ${line}; more --runs narrow the interval`);
        else unmet.push(`${text} does not hold: ${line}`);
      }
    }
    if (playersMin !== undefined) unmet.push(...unmetPlayers(game, playersMin));
  }
  return { unmet, undecided };
}

function ratioTo({ runs }: ScaleResult, { then }: Comparison): Ratio {
  const medians = (scale: { readonly runs: ScaleResult['runs'] }) => scale.runs.map(({ tickMs }) => tickMs.p50);
  return ratioBetween(medians({ runs }), medians(then));
}

function figuresOf(scale: ScaleResult, comparison: Comparison | undefined, ratio: number | undefined): Figures {
  const plain = ({ typical, counters: counted, players }: ScaleResult): Record<string, number> => ({
    ...Object.fromEntries(Object.entries(percentiles).map(([name, key]) => [name, typical.tickMs[key]])),
    ...Object.fromEntries(counters.map((name) => [name, counted[name]])),
    players,
  });
  if (comparison === undefined) return { ...plain(scale), ratio };
  const before = Object.entries(plain(comparison.then)).map(([name, value]) => [`before.${name}`, value]);
  const same = comparison.verdict === 'same' && comparison.changed.length === 0;
  return { ...plain(scale), ...Object.fromEntries(before), same, ratio };
}

function shown(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(3);
}

function unmetPlayers({ file, capacity, scales }: GameResult, least: number): string[] {
  const { players, isReached, isFull } = capacity;
  if (players >= least) return [];
  const tried = Math.max(0, ...scales.map(({ bots }) => bots));
  const why = isFull
    ? `${file} takes ${amount(players, 'player')} at most`
    : isReached
      ? `${file} holds ${players}`
      : `${file} was tried with ${amount(tried, 'bot')} at most; --bots ${least} tries more`;
  return [`${amount(least, 'player')} required: ${why}`];
}
