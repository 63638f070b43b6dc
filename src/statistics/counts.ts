export type Counts = { readonly [name: string]: number };

/** Sorts counts, largest first, then by name. Names with a count below `least` are left out. */
export function countsOf(entries: Iterable<readonly [string, number]>, least = 1): Counts {
  const kept = [...entries].filter(([, count]) => count >= least);
  kept.sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : a > b ? 1 : 0));
  return Object.fromEntries(kept);
}

export function totalOf(counts: Counts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
