import { amount, inColumns, printable, wrapped } from '../text/index.ts';
import type { Comparison } from './compare.ts';
import type { ProfileRow } from './profile.ts';
import type { BenchResult, GameResult, ScaleResult } from './result.ts';

const rowsShown = 12;
export const widthMax = 80;
const nameMax = 40;

/**
 * Formats a report for a terminal: the cost of a tick, how it grows with the number of players, which scripts cause it,
 * and how it has changed.
 */
export function benchText(result: BenchResult, comparisons: readonly Comparison[] | undefined): string {
  const lines = [`node ${result.node} on ${result.machine}`];
  for (const game of result.games) lines.push('', ...gameLines(game));
  if (comparisons !== undefined) lines.push('', ...comparisonLines(comparisons));
  return `${lines.join('\n')}\n`;
}

function gameLines(game: GameResult) {
  const { file, title, ticksPerSecond, budgetMs, seconds, warmUpSeconds, scales, profile, ratio } = game;
  const lines = [
    `${file}${title === null ? '' : ` (${printable(title)})`}`,
    ...indented(
      `${fixed(ticksPerSecond, 0)} ticks a second, ${fixed(budgetMs, 1)} ms for each; ${seconds} s measured after ${warmUpSeconds} s of warm-up, median of ${amount(scales[0]?.runs.length ?? 0, 'run')}`,
    ),
    '',
    ...table(['bots', 'players', 'p50 ms', 'p90', 'p95', 'p99', 'p99.9', 'max', 'budget', 'over'], scales.map(timeRow)),
    '',
    ...table(['bots', 'x real time', 'kB/tick', 'gc ms', 'pauses', 'hash'], scales.map(costRow)),
    '',
    ...indented(capacityText(game)),
  ];
  if (scales.some(({ deterministic }) => !deterministic)) {
    lines.push('  INVALID: runs with the same seed ended in different states');
  }
  if (ratio !== null) {
    const { value, low, high } = ratio;
    const interval = low === null || high === null ? '' : ` (95 %: ${fixed(low, 3)} to ${fixed(high, 3)})`;
    lines.push(`  a tick costs ${fixed(value, 3)} times as much as a tick of the first game${interval}`);
  }
  const last = scales.at(-1);
  if (last !== undefined) lines.push('', ...partLines(last));
  if (profile !== null) {
    lines.push(...profileLines('scripts', profile.scripts), ...profileLines('actions', profile.actions));
    lines.push(...profileLines('triggers', profile.triggers));
  }
  return lines;
}

/** The capacity of a game: the number of players with which 95 % of the ticks fit into the frame budget. */
function capacityText({ capacity: { players, isReached, isFull }, ticksPerSecond, budgetMs, scales }: GameResult) {
  const where = `at ${fixed(ticksPerSecond, 0)} Hz on this machine: 95 of 100 ticks end within ${fixed(budgetMs, 1)} ms`;
  if (isReached) return `this game holds ${amount(players, 'player')} ${where}`;
  const tried = Math.max(0, ...scales.map(({ bots }) => bots));
  const more = isFull
    ? `; the game admits at most ${amount(players, 'player')}`
    : `; more than ${amount(tried, 'bot')} were not tried`;
  return `this game holds at least ${amount(players, 'player')} ${where}${more}`;
}

function timeRow({ bots, players, typical }: ScaleResult) {
  const { tickMs, budgetShare, ticksOverBudget } = typical;
  const { p50, p90, p95, p99, p999, max } = tickMs;
  return [
    String(bots),
    String(players),
    ...[p50, p90, p95, p99, p999, max].map(fourDigits),
    `${fixed(budgetShare * 100, 1)} %`,
    String(ticksOverBudget),
  ];
}

function costRow({ bots, typical, hash }: ScaleResult) {
  const { speed, bytesPerTick, gc } = typical;
  return [String(bots), fixed(speed, 1), fixed(bytesPerTick / 1000, 1), fixed(gc.totalMs, 1), String(gc.pauses), hash];
}

function partLines({ bots, typical, counters }: ScaleResult) {
  const { partsMs, bodiesAwake, contacts, entities, heapMb, residentMb } = typical;
  const parts = Object.entries(partsMs).map(([part, ms]) => `${part} ${fixed(ms * 1000, 1)}`);
  return [
    ...indented(`with ${amount(bots, 'bot')}, microseconds per tick: ${parts.join(', ')}`),
    ...indented(
      `bodies awake ${fixed(bodiesAwake, 1)}, contacts per tick ${fixed(contacts, 2)}, entities ${fixed(entities, 1)}, heap ${fixed(heapMb, 1)} MB, resident ${fixed(residentMb, 1)} MB`,
    ),
    ...indented(
      `counters: ${Object.entries(counters)
        .map(([name, count]) => `${name} ${count}`)
        .join(', ')}`,
    ),
  ];
}

function profileLines(what: string, rows: readonly ProfileRow[]) {
  if (rows.length === 0) return ['', `  ${what}: none ran`];
  const shown = rows.slice(0, rowsShown);
  const lines = table(
    [what, 'calls', 'self ms', 'total ms', 'share'],
    shown.map((row) => [
      rowName(row),
      String(row.calls),
      fixed(row.selfMs, 2),
      fixed(row.totalMs, 2),
      `${fixed(row.share * 100, 1)} %`,
    ]),
  );
  const left = rows.length - shown.length;
  return ['', ...lines, ...(left > 0 ? [`  … ${left} more`] : [])];
}

function comparisonLines(comparisons: readonly Comparison[]) {
  if (comparisons.length === 0)
    return ['baseline: the file has no measurement of these games with these numbers of bots'];
  return comparisons.flatMap((comparison) => wrapped(comparisonLine(comparison), widthMax));
}

function comparisonLine({ file, bots, verdict, changed, tickRatio }: Comparison) {
  const where = `baseline: ${file}, ${bots} bots:`;
  const list = changed.map(({ counter, before, now }) => `${counter} ${before} -> ${now}`).join(', ');
  const differences = list === '' ? '' : ` (${list})`;
  switch (verdict) {
    case 'other-options':
      return `${where} cannot be compared, because the baseline was measured with another seed, dialect or length`;
    case 'invalid':
      return `${where} INVALID, because the game no longer plays the same${differences}; a tick costs ${fixed(tickRatio, 2)} times as much as in the baseline, but does different work`;
    case 'same':
      return `${where} same hash${differences}; a tick costs ${fixed(tickRatio, 2)} times as much as when the baseline was measured`;
  }
}

/** Formats a time in ms with about four digits, so that ten columns fit on a line. */
function fourDigits(ms: number) {
  return fixed(ms, ms < 10 ? 3 : ms < 100 ? 2 : ms < 1000 ? 1 : 0);
}

/**
 * The name of a script. An action is shown with its location, because many actions have the same name. A text that is
 * too long is shortened at its start, because the end of a location is its most specific part.
 */
function rowName({ name, place }: ProfileRow) {
  const text = printable(place.includes('/actions/') ? `${place} ${name}` : name);
  return text.length <= nameMax ? text : `…${text.slice(1 - nameMax)}`;
}

/** Wraps a text at 80 columns, with an indentation of two spaces. */
function indented(text: string) {
  return wrapped(text, widthMax - 2).map((line) => `  ${line}`);
}

/** A table with an indentation of two spaces. All columns but the first contain numbers. */
function table(head: readonly string[], rows: readonly (readonly string[])[]) {
  return inColumns([head, ...rows], (column) => column > 0).map((line) => `  ${line}`);
}

function fixed(value: number, digits: number) {
  return value.toFixed(digits);
}
