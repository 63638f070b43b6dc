import { groupText } from '../bots/index.ts';
import { amount, csvField, shellWord, shortened, tableLines } from '../text/index.ts';
import type { Setting, SweepPlan } from './plan.ts';
import type { Result } from './results.ts';
import type { Extreme, MeasureSummary, PointSummary, SweepSummary } from './summary.ts';
import type { SweepValue } from './values.ts';

const cellMax = 34;
const textsShown = 3;

/** A table of the points, followed by the minimum and maximum of each measure. */
export function sweepText(summary: SweepSummary, plan: SweepPlan): string {
  const names = shortPaths(summary.settings);
  const rows = [
    [...names, 'runs', ...summary.measures.map((measure) => shortened(measure, cellMax))],
    ...summary.points.map(({ point, plays, measures }) => [
      ...point.map((value) => shortened(String(value), cellMax)),
      String(plays),
      ...measures.map(measureText),
    ]),
    ...(summary.points.length > 1 ? [wholeRow(summary, names.length)] : []),
  ];
  const lines = [...tableLines(rows), ''];
  for (const path of summary.idle)
    lines.push(`${path}: its value did not change the outcome of any run; a script may overwrite it`);
  for (const [index, measure] of summary.measures.entries()) {
    const { min, max, missing, count } = summary.whole[index]!;
    if (min !== null && max !== null && min.value !== max.value) {
      lines.push(`${measure}: minimum and maximum`);
      lines.push(`  ${replayText(min, summary.settings, plan)}`);
      lines.push(`  ${replayText(max, summary.settings, plan)}`);
    }
    if (missing > 0) lines.push(`${measure}: missing in ${missing} of ${amount(missing + count, 'run')}`);
  }
  return `${lines.join('\n').trimEnd()}\n`;
}

function wholeRow({ points, whole }: SweepSummary, settings: number): string[] {
  const plays = points.reduce((sum, point: PointSummary) => sum + point.plays, 0);
  return [
    ...Array.from({ length: settings }, (_, i) => (i === 0 ? 'all' : '')),
    String(plays),
    ...whole.map(measureText),
  ];
}

/** `52 % (42 to 62)`, `3.2 ± 0.4`, `red 12, blue 8`. */
export function measureText({ kind, estimate, texts }: MeasureSummary): string {
  if (kind === 'texts') {
    const counts = Object.entries(texts!).sort(([, a], [, b]) => b - a);
    const shown = counts.slice(0, textsShown).map(([text, count]) => `${shortened(text, 16)} ${count}`);
    return counts.length > textsShown ? `${shown.join(', ')}, …` : shown.join(', ');
  }
  if (estimate === null) return 'missing';
  const { value, low, high } = estimate;
  if (kind === 'share') return `${percent(value)} % (${percent(low!)} to ${percent(high!)})`;
  return high === null ? rounded(value) : `${rounded(value)} ± ${rounded(high - value)}`;
}

/** The command that repeats a run. */
export function replayText({ value, seed, point }: Extreme, settings: readonly Setting[], plan: SweepPlan): string {
  const changes = settings.map(({ path }, index) => ` --set ${shellWord(`${path}=${valueText(point[index]!)}`)}`);
  const until = plan.until === undefined ? '' : ` --until ${shellWord(plan.until)}`;
  const [base, except] = plan.dialect.split(' except ');
  const exceptions = except === undefined ? '' : ` --except ${except.replaceAll(' ', '')}`;
  const dialect = plan.dialect === 'standard' ? '' : ` --dialect ${base}${exceptions}`;
  const shown = typeof value === 'number' ? rounded(value) : String(value);
  return `${shown}: reenact run ${shellWord(plan.game)} --seed ${shellWord(seed)} ${botsText(plan)} --seconds ${plan.seconds}${dialect}${until}${changes.join('')}`;
}

function botsText({ bots, tries }: SweepPlan): string {
  const groups = bots.map((group) => `--bots ${shellWord(groupText(group))}`).join(' ');
  return tries === undefined ? groups : `${groups} --tries ${tries}`;
}

/** One line per run: settings, seed, ticks, ending, measures (RFC 4180). */
export function sweepCsv(
  settings: readonly Setting[],
  measures: readonly string[],
  results: readonly Result[],
): string {
  const head = [...settings.map(({ path }) => path), 'seed', 'ticks', 'ending', ...measures];
  const rows = results.map(({ point, seed, ticks, ending, answers }) => [...point, seed, ticks, ending, ...answers]);
  return [head, ...rows].map((row) => `${row.map(csvField).join(',')}\r\n`).join('');
}

/** The shortest ends of paths that are still distinct. */
export function shortPaths(settings: readonly Setting[]): string[] {
  const paths = settings.map(({ path }) => path.replace(/^\//, '').split(path.startsWith('/') ? '/' : '.'));
  return paths.map((keys) => {
    for (let count = Math.min(2, keys.length); count < keys.length; count++) {
      const end = keys.slice(-count).join('.');
      if (paths.every((other) => other === keys || other.slice(-count).join('.') !== end)) return end;
    }
    return keys.join('.');
  });
}

function valueText(value: SweepValue): string {
  const isPlain = typeof value !== 'string' || Number.isNaN(Number(value));
  return isPlain ? String(value) : JSON.stringify(value);
}

function rounded(value: number): string {
  return String(Number(value.toPrecision(4)));
}

function percent(share: number): string {
  return (100 * share).toFixed(share === 0 || share === 1 ? 0 : 1).replace(/\.0$/, '');
}
