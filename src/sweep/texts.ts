import { groupText } from '../bots/index.ts';
import { literalOf } from '../load/index.ts';
import { amount, csvField, shellWord, shortened, tableLines } from '../text/index.ts';
import type { Result, Setting, SweepPlan } from './plan.ts';
import type { Extreme, MeasureSummary, SweepSummary } from './summary.ts';

const cellMax = 34;
const textsShown = 3;

/** A table of the points, followed by the commands that replay the minimum and the maximum of each measure. */
export function sweepText({ plan, settings, points, whole, idle }: SweepSummary): string {
  const names = columnNames(settings);
  const rowOf = (point: readonly unknown[], plays: number, measures: readonly MeasureSummary[]): string[] => [
    ...point.map((value) => shortened(String(value), cellMax)),
    String(plays),
    ...measures.map(measureText),
  ];
  const rows = [
    [...names, 'runs', ...plan.measures.map((measure) => shortened(measure, cellMax))],
    ...points.map(({ point, plays, measures }) => rowOf(point, plays, measures)),
  ];
  if (points.length > 1) {
    const plays = points.reduce((sum, point) => sum + point.plays, 0);
    rows.push(rowOf(['all', ...names.slice(1).fill('')], plays, whole));
  }
  const lines = [...tableLines(rows), ''];
  for (const path of idle)
    lines.push(`${path}: its value did not change the outcome of any run; a script may overwrite it`);
  for (const [index, measure] of plan.measures.entries()) {
    const { min, max, missing, count } = whole[index]!;
    if (min !== null && max !== null && min.value !== max.value) {
      const commands = [min, max].map((extreme) => `  ${replayText(extreme, settings, plan)}`);
      lines.push(`${measure}: minimum and maximum`, ...commands);
    }
    if (missing > 0) lines.push(`${measure}: missing in ${missing} of ${amount(missing + count, 'run')}`);
  }
  return `${lines.join('\n').trimEnd()}\n`;
}

/** `52 % (42 to 62)`, `3.2 ± 0.4`, `red 12, blue 8`. */
function measureText({ kind, estimate, texts }: MeasureSummary): string {
  if (texts !== null) {
    const counts = Object.entries(texts).map(([text, count]) => `${shortened(text, 16)} ${count}`);
    return [...counts.slice(0, textsShown), ...(counts.length > textsShown ? ['…'] : [])].join(', ');
  }
  if (estimate === null) return 'missing';
  const { value, low, high } = estimate;
  if (kind === 'share') return `${percent(value)} % (${percent(low!)} to ${percent(high!)})`;
  return high === null ? rounded(value) : `${rounded(value)} ± ${rounded(high - value)}`;
}

/** The value and the command that repeats its run. */
function replayText({ value, seed, point }: Extreme, settings: readonly Setting[], plan: SweepPlan): string {
  const { game, dialect, bots, tries, seconds, until } = plan;
  const [base, except] = dialect.split(' except ');
  const options: readonly (readonly [name: string, value: string | number | undefined])[] = [
    ['seed', seed],
    ...bots.map((group) => ['bots', groupText(group)] as const),
    ['tries', tries],
    ['seconds', seconds],
    ['dialect', dialect === 'standard' ? undefined : base],
    ['except', except?.replaceAll(' ', '')],
    ['until', until],
    ...settings.map(({ path }, index) => ['set', `${path}=${valueText(point[index])}`] as const),
  ];
  const words = options.flatMap(([name, given]) =>
    given === undefined ? [] : [`--${name}`, shellWord(String(given))],
  );
  const shown = typeof value === 'number' ? rounded(value) : String(value);
  return `${shown}: ${['reenact run', shellWord(game), ...words].join(' ')}`;
}

/** One line per run: settings, seed, ticks, ending, measures (RFC 4180). */
export function sweepCsv({ plan, settings }: SweepSummary, results: readonly Result[]): string {
  const head = [...settings.map(({ path }) => path), 'seed', 'ticks', 'ending', ...plan.measures];
  const rows = results.map(({ point, seed, ticks, ending, answers }) => [...point, seed, ticks, ending, ...answers]);
  return [head, ...rows].map((row) => `${row.map(csvField).join(',')}\r\n`).join('');
}

/** The last two keys of each path; whole paths if those would be ambiguous. */
function columnNames(settings: readonly Setting[]): string[] {
  const paths = settings.map(({ path }) => path);
  const short = paths.map((path) =>
    path
      .split(path.startsWith('/') ? '/' : '.')
      .slice(-2)
      .join('.'),
  );
  return new Set(short).size === paths.length ? short : paths;
}

/** Texts are quoted only if `--set` would read them as something else. */
function valueText(value: unknown): string {
  return typeof value === 'string' && literalOf(value) === value ? value : JSON.stringify(value);
}

function rounded(value: number): string {
  return String(Number(value.toPrecision(4)));
}

function percent(share: number): string {
  return (100 * share).toFixed(share === 0 || share === 1 ? 0 : 1).replace(/\.0$/, '');
}
