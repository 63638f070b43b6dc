import { amount, printable, shortened, wrapped } from '../text/index.ts';
import type { Comparison } from './compare.ts';
import type { ProfileRow } from './profile.ts';
import type { BenchResult, GameResult, ScaleResult } from './result.ts';

const rowsShown = 12;
export const widthMax = 80;
const nameMax = 40;

/** The report for a terminal: the cost of a tick, how it scales, which scripts cause it, and whether it got worse. */
export function benchText(result: BenchResult, comparisons: readonly Comparison[] | undefined): string {
  const lines = [`node ${result.node} on ${result.machine}`];
  const { games } = result;
  for (const game of games) lines.push('', ...gameLines(game, games.length === 1));
  // After an interrupt, some games have no script times.
  const isWhole = games.every(({ profile }) => profile !== null);
  if (games.length > 1 && isWhole) lines.push(...scriptDifferences(games));
  if (comparisons !== undefined) lines.push('', ...comparisonLines(comparisons));
  return `${lines.join('\n')}\n`;
}

/** How much was measured before an interrupt, and what was not. */
export function interruptedText(
  { games }: BenchResult,
  files: readonly string[],
  bots: readonly number[],
  runs: number,
): string {
  const done = games.flatMap(({ scales }) => scales.map((scale) => scale.runs.length));
  const missing = files.flatMap((file) => {
    const game = games.find((each) => each.file === file);
    const untried = bots.filter((count) => game?.scales.every((scale) => scale.bots !== count) ?? true);
    const what = [...untried.map((count) => amount(count, 'bot')), ...(game?.profile == null ? ['scripts'] : [])];
    return what.length === 0 ? [] : [`${file} (${what.join(', ')})`];
  });
  const measured = done.reduce((sum, count) => sum + count, 0);
  const not = missing.length === 0 ? '' : `, not measured: ${missing.join(', ')}`;
  const text = `interrupted: ${measured} of ${amount(files.length * bots.length * runs, 'run')}${not}`;
  return `${wrapped(text, widthMax).join('\n')}\n`;
}

function gameLines(game: GameResult, isAlone: boolean): string[] {
  const { file, title, ticksPerSecond, budgetMs, seconds, warmUpSeconds, realtime, scales, profile, ratio } = game;
  const lines = [
    `${file}${title === null ? '' : ` (${printable(title)})`}`,
    ...indented(
      `${fixed(ticksPerSecond, 0)} ticks a second, ${fixed(budgetMs, 1)} ms for each; ${seconds} s measured after ${warmUpSeconds} s to warm up${realtime ? ', in real time' : ''}, median of ${scales[0]?.runs.length ?? 0}`,
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
    lines.push(`  a tick costs ${fixed(value, 3)} of one of the first game${interval}`);
  }
  const last = scales.at(-1);
  if (last !== undefined) lines.push('', ...partLines(last));
  if (profile !== null && isAlone) {
    lines.push(...profileLines('scripts', profile.scripts), ...profileLines('actions', profile.actions));
    lines.push(...profileLines('triggers', profile.triggers));
  }
  return lines;
}

/** The capacity of a game: the number of players with which 95 % of the ticks fit into the frame budget. */
function capacityText({
  capacity: { players, isReached, isFull },
  ticksPerSecond,
  budgetMs,
  scales,
}: GameResult): string {
  const where = `at ${fixed(ticksPerSecond, 0)} Hz on this machine: 95 of 100 ticks end within ${fixed(budgetMs, 1)} ms`;
  if (isReached) return `this game holds ${amount(players, 'player')} ${where}`;
  const tried = Math.max(0, ...scales.map(({ bots }) => bots));
  const more = isFull
    ? `; ${players} is the most this game takes`
    : `; more than ${amount(tried, 'bot')} were not tried`;
  return `this game holds at least ${amount(players, 'player')} ${where}${more}`;
}

function timeRow({ bots, players, typical }: ScaleResult): string[] {
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

function costRow({ bots, typical, hash }: ScaleResult): string[] {
  const { speed, bytesPerTick, gc } = typical;
  return [String(bots), fixed(speed, 1), fixed(bytesPerTick / 1000, 1), fixed(gc.totalMs, 1), String(gc.pauses), hash];
}

function partLines({ bots, typical, counters }: ScaleResult): string[] {
  const { partsMs, bodiesAwake, contacts, entities, heapMb, residentMb, latenessMs } = typical;
  const parts = Object.entries(partsMs).map(([part, ms]) => `${part} ${fixed(ms * 1000, 1)}`);
  const lines = [
    ...indented(`with ${amount(bots, 'bot')}, microseconds a tick: ${parts.join(', ')}`),
    ...indented(
      `bodies awake ${fixed(bodiesAwake, 1)}, contacts a tick ${fixed(contacts, 2)}, entities ${fixed(entities, 1)}, heap ${fixed(heapMb, 1)} MB, resident ${fixed(residentMb, 1)} MB`,
    ),
    ...indented(
      `counters: ${Object.entries(counters)
        .map(([name, count]) => `${name} ${count}`)
        .join(', ')}`,
    ),
  ];
  if (latenessMs !== null) {
    const { p50, p99, max } = latenessMs;
    lines.push(`  ticks began late by p50 ${fixed(p50, 2)} ms, p99 ${fixed(p99, 2)} ms, at most ${fixed(max, 2)} ms`);
  }
  return lines;
}

/**
 * The cost per tick of scripts in several games, in µs, with the difference from the first game; largest differences
 * first.
 */
function scriptDifferences(games: readonly GameResult[]): string[] {
  const costs = games.map(({ profile }) => {
    const perTick = new Map<string, { name: string; us: number }>();
    for (const { place, name, selfMs } of profile?.scripts ?? [])
      perTick.set(place, { name, us: (selfMs * 1000) / Math.max(1, profile!.ticks) });
    return perTick;
  });
  const places = [...new Set(costs.flatMap((cost) => [...cost.keys()]))];
  if (places.length === 0) return [];
  const rows = places.map((place) => {
    const us = costs.map((cost) => cost.get(place)?.us);
    const name = costs.map((cost) => cost.get(place)?.name).find((each) => each !== undefined)!;
    const most = Math.max(...us.slice(1).map((each) => Math.abs((each ?? 0) - (us[0] ?? 0))));
    return { name, us, most };
  });
  rows.sort((a, b) => b.most - a.most);
  const shown = rows.slice(0, rowsShown);
  const heads = games.flatMap((_, i) => (i === 0 ? ['game 1'] : [`game ${i + 1}`, 'change']));
  const lines = table(
    ['scripts, us a tick', ...heads],
    shown.map(({ name, us }) => [
      printable(name).slice(0, nameMax),
      ...us.flatMap((each, i) => {
        const cell = each === undefined ? '-' : fixed(each, 2);
        return i === 0 ? [cell] : [cell, signed((each ?? 0) - (us[0] ?? 0))];
      }),
    ]),
  );
  return ['', ...lines, ...(rows.length > shown.length ? [`  … ${rows.length - shown.length} more`] : [])];
}

function signed(value: number): string {
  return `${value < 0 ? '' : '+'}${fixed(value, 2)}`;
}

function profileLines(what: string, rows: readonly ProfileRow[]): string[] {
  if (rows.length === 0) return ['', `  ${what}: none ran`];
  const shown = rows.slice(0, rowsShown);
  const lines = table(
    [what, 'calls', 'self ms', 'total ms', 'share'],
    shown.map(({ name, place, calls, selfMs, totalMs, share }) => [
      // A script without a name is shown by its location, whose end is the most specific.
      ending(printable(named(name, place)), nameMax),
      String(calls),
      fixed(selfMs, 2),
      fixed(totalMs, 2),
      `${fixed(share * 100, 1)} %`,
    ]),
  );
  const left = rows.length - shown.length;
  return ['', ...lines, ...(left > 0 ? [`  … ${left} more`] : [])];
}

function comparisonLines(comparisons: readonly Comparison[]): string[] {
  if (comparisons.length === 0) return ['baseline: nothing in it can be compared'];
  return comparisons.flatMap((comparison) => wrapped(comparisonLine(comparison), widthMax));
}

function comparisonLine({ file, bots, verdict, changed, tickRatio }: Comparison): string {
  const where = `baseline: ${file}, ${bots} bots:`;
  const list = changed.map(({ counter, before, now }) => `${counter} ${before} -> ${now}`).join(', ');
  const differences = list === '' ? '' : ` (${list})`;
  switch (verdict) {
    case 'other-options':
      return `${where} measured with another seed, dialect or length; nothing can be compared`;
    case 'invalid':
      return `${where} INVALID, the game does not play the same any more${differences}; a tick costs ${fixed(tickRatio, 2)} of what it did, with other work in it`;
    case 'same':
      return `${where} same hash${differences}; a tick costs ${fixed(tickRatio, 2)} of what it did, on another occasion`;
  }
}

/** Times in ms with four digits, so that ten columns fit on a line. */
function fourDigits(ms: number): string {
  return fixed(ms, ms < 10 ? 3 : ms < 100 ? 2 : ms < 1000 ? 1 : 0);
}

/** A script by name; an action also by location, because many have the same name. */
function named(name: string, place: string): string {
  return place.includes('/actions/') ? `${name} ${place}` : name;
}

function ending(text: string, most: number): string {
  if (text.length <= most) return text;
  const [name = '', place = ''] = [text.slice(0, text.indexOf(' ')), text.slice(text.indexOf(' ') + 1)];
  if (name.length + 2 > most - 8) return shortened(text, most);
  return `${name} …${place.slice(-(most - name.length - 2))}`;
}

/** Indented by two, wrapped at 80 columns. */
function indented(text: string): string[] {
  return wrapped(text, widthMax - 2).map((line) => `  ${line}`);
}

/** Indented by two; the first and last columns are left-aligned, numbers right-aligned. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]!.length)));
  return [head, ...rows].map((row) => {
    const cells = row.map((cell, column) => {
      const isText = head[column] === 'hash' || (column === 0 && Number.isNaN(Number(rows[0]?.[0])));
      return isText ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!);
    });
    return `  ${cells.join('  ')}`.trimEnd();
  });
}

function fixed(value: number, digits: number): string {
  return value.toFixed(digits);
}
