/** Times of one function, in ms. */
interface Spread {
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

export function spread(samples: readonly number[]): Spread {
  const sorted = [...samples].sort((a, b) => a - b);
  return { min: sorted[0]!, median: sorted[sorted.length >> 1]!, max: sorted[sorted.length - 1]! };
}

interface Comparison {
  /** ms per call. */
  readonly a: Spread;
  readonly b: Spread;
  /** a / b per round, so that drift of the machine cancels out. */
  readonly ratio: Spread;
  /** The ratio of each round, with significant digits only. */
  readonly ratios: readonly number[];
}

/** Runs two functions alternately in one process, after warming up both, and compares them round by round. */
export function compare(
  a: () => void,
  b: () => void,
  { rounds, callsPerRound, warmupRounds = 3 }: { rounds: number; callsPerRound: number; warmupRounds?: number },
): Comparison {
  const timesA: number[] = [];
  const timesB: number[] = [];
  const ratios: number[] = [];
  for (let round = -warmupRounds; round < rounds; round++) {
    const timeA = time(a, callsPerRound);
    const timeB = time(b, callsPerRound);
    if (round < 0) continue;
    timesA.push(timeA);
    timesB.push(timeB);
    ratios.push(timeA / timeB);
  }
  return {
    a: spread(timesA),
    b: spread(timesB),
    ratio: spread(ratios),
    ratios: ratios.map((each) => Number(each.toPrecision(4))),
  };
}

function time(call: () => void, calls: number): number {
  const start = performance.now();
  for (let i = 0; i < calls; i++) call();
  return (performance.now() - start) / calls;
}

/** Aligns columns; numbers are right-aligned. */
export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const cells = [head, ...rows].map((row) => row.map((cell) => String(cell)));
  const widths = head.map((_, column) => Math.max(...cells.map((row) => (row[column] ?? '').length)));
  return cells
    .map((row, line) =>
      row
        .map((cell, column) =>
          line > 0 && typeof rows[line - 1]![column] === 'number'
            ? cell.padStart(widths[column]!)
            : cell.padEnd(widths[column]!),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
