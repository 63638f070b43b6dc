import { printable } from '../text/printable.ts';
import type { Comparison } from './compare.ts';
import type { ProfileRow } from './profile.ts';
import type { BenchResult, GameResult, ScaleResult } from './result.ts';

const rowsShown = 12;

/** For a terminal: what a tick costs, how that grows, which scripts cost it, and whether it got worse. */
export function benchText(result: BenchResult, comparisons: readonly Comparison[] | undefined): string {
  const lines = [`node ${result.node} on ${result.machine}`];
  for (const game of result.games) lines.push('', ...gameLines(game));
  if (comparisons !== undefined) lines.push('', ...comparisonLines(comparisons));
  return `${lines.join('\n')}\n`;
}

function gameLines(game: GameResult): string[] {
  const { file, title, ticksPerSecond, budgetMs, seconds, warmUpSeconds, realtime, scales, capacity, profile, ratio } =
    game;
  const lines = [
    `${file}${title === null ? '' : ` (${printable(title)})`}`,
    `  ${fixed(ticksPerSecond, 0)} ticks a second, ${fixed(budgetMs, 1)} ms for each; ${seconds} s measured after ${warmUpSeconds} s to warm up${realtime ? ', in real time' : ''}, median of ${scales[0]?.runs.length ?? 0}`,
    '',
    ...table(
      [
        'bots',
        'players',
        'p50 ms',
        'p90',
        'p95',
        'p99',
        'p99.9',
        'max',
        'budget',
        'over',
        'x real time',
        'kB/tick',
        'gc ms',
        'hash',
      ],
      scales.map(scaleRow),
    ),
    '',
  ];
  const { players, isReached } = capacity;
  const rate = `${fixed(ticksPerSecond, 0)} Hz on this machine`;
  lines.push(
    isReached
      ? `  this game holds ${players} players at ${rate}`
      : `  this game holds at least ${players} players at ${rate}`,
  );
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
  if (profile !== null) {
    lines.push(...profileLines('scripts', profile.scripts), ...profileLines('actions', profile.actions));
    lines.push(...profileLines('triggers', profile.triggers));
  }
  return lines;
}

function scaleRow({ bots, players, typical, hash }: ScaleResult): string[] {
  const { tickMs, budgetShare, ticksOverBudget, speed, bytesPerTick, gc } = typical;
  return [
    String(bots),
    String(players),
    fixed(tickMs.p50, 3),
    fixed(tickMs.p90, 3),
    fixed(tickMs.p95, 3),
    fixed(tickMs.p99, 3),
    fixed(tickMs.p999, 3),
    fixed(tickMs.max, 3),
    `${fixed(budgetShare * 100, 1)} %`,
    String(ticksOverBudget),
    fixed(speed, 1),
    fixed(bytesPerTick / 1000, 1),
    `${fixed(gc.totalMs, 1)}/${gc.pauses}`,
    hash,
  ];
}

function partLines({ bots, typical, counters }: ScaleResult): string[] {
  const parts = Object.entries(typical.partsMs).map(([part, ms]) => `${part} ${fixed(ms * 1000, 1)}`);
  const lines = [
    `  with ${bots} bots, microseconds a tick: ${parts.join(', ')}`,
    `  bodies awake ${fixed(typical.bodiesAwake, 1)}, contacts a tick ${fixed(typical.contacts, 2)}, entities ${fixed(typical.entities, 1)}, heap ${fixed(typical.heapMb, 1)} MB, resident ${fixed(typical.residentMb, 1)} MB`,
    `  counters: ${Object.entries(counters)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ')}`,
  ];
  if (typical.latenessMs !== null) {
    const { p50, p99, max } = typical.latenessMs;
    lines.push(`  ticks began late by p50 ${fixed(p50, 2)} ms, p99 ${fixed(p99, 2)} ms, at most ${fixed(max, 2)} ms`);
  }
  return lines;
}

function profileLines(what: string, rows: readonly ProfileRow[]): string[] {
  if (rows.length === 0) return ['', `  ${what}: none ran`];
  const shown = rows.slice(0, rowsShown);
  const lines = table(
    [what, 'calls', 'self ms', 'total ms', 'share', ''],
    shown.map(({ name, place, calls, selfMs, totalMs, share }) => [
      printable(name).slice(0, 40),
      String(calls),
      fixed(selfMs, 2),
      fixed(totalMs, 2),
      `${fixed(share * 100, 1)} %`,
      printable(place),
    ]),
  );
  const left = rows.length - shown.length;
  return ['', ...lines, ...(left > 0 ? [`  … ${left} more`] : [])];
}

function comparisonLines(comparisons: readonly Comparison[]): string[] {
  if (comparisons.length === 0) return ['baseline: nothing in it can be compared'];
  return comparisons.map(comparisonLine);
}

function comparisonLine({ file, bots, verdict, changed, tickRatio }: Comparison): string {
  const where = `baseline: ${file}, ${bots} bots:`;
  const list = changed.map(({ counter, before, now }) => `${counter} ${before} -> ${now}`).join(', ');
  const differences = list === '' ? '' : ` (${list})`;
  switch (verdict) {
    case 'other-options':
      return `${where} measured with another seed, dialect or length; nothing can be compared`;
    case 'invalid':
      return `${where} INVALID, the game does not play the same any more${differences}`;
    case 'same':
      return `${where} same hash${differences}; a tick costs ${fixed(tickRatio, 2)} of what it did, on another occasion`;
  }
}

/** Indented by two; the first column and the last to the left, numbers to the right. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]!.length)));
  return [head, ...rows].map((row) => {
    const cells = row.map((cell, column) => {
      const isText = column === head.length - 1 || (column === 0 && Number.isNaN(Number(rows[0]?.[0])));
      return isText ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!);
    });
    return `  ${cells.join('  ')}`.trimEnd();
  });
}

export function fixed(value: number, digits: number): string {
  return value.toFixed(digits);
}
