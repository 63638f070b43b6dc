import type { FalseComparisons } from '../run/false-comparisons.ts';

type Plain = number | string | boolean | null;

/** A comparison of a script that was false, and the values with which it came nearest to holding. */
export interface NearMiss {
  /** JSON Pointer of the comparison. */
  readonly pointer: string;
  readonly count: number;
  /** The two sides; null for a value that is missing or neither a number, a text nor a boolean. */
  readonly left: Plain;
  readonly right: Plain;
  /** The difference of two numbers; null for other values. */
  readonly distance: number | null;
}

/** The comparisons of one play that were false. */
export function nearMissesOf(comparisons: FalseComparisons): NearMiss[] {
  return Array.from(comparisons.all(), ({ node: { pointer }, count, first, nearest }) => {
    const { left, right } = nearest ?? first;
    return { pointer, count, left: plain(left), right: plain(right), distance: nearest?.distance ?? null };
  });
}

/** Adds the near misses of a play. Keeps the nearest per comparison, and the first of equal ones. */
export function mergeNearMisses(into: Map<string, NearMiss>, from: readonly NearMiss[]): void {
  for (const next of from) {
    const known = into.get(next.pointer);
    if (known === undefined) {
      into.set(next.pointer, next);
      continue;
    }
    const nearer = (next.distance ?? Number.POSITIVE_INFINITY) < (known.distance ?? Number.POSITIVE_INFINITY);
    into.set(next.pointer, { ...(nearer ? next : known), count: known.count + next.count });
  }
}

function plain(value: unknown): Plain {
  return typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean' ? value : null;
}
