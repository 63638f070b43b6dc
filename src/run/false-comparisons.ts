import type { Condition, ScriptObserver } from '../../engine/index.ts';

/** The values of the two sides of a comparison. */
interface Sides {
  readonly tick: number;
  readonly left: unknown;
  readonly right: unknown;
}

/** A comparison of a script that was false. */
export interface FalseComparison {
  readonly node: Condition;
  readonly count: number;
  readonly first: Sides;
  readonly last: Sides;
  /**
   * The values of the two sides when they were numbers and closest to each other, and their distance; undefined if they
   * were never both numbers.
   */
  readonly nearest: (Sides & { readonly distance: number }) | undefined;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

interface Entry extends Mutable<FalseComparison> {
  last: Mutable<Sides>;
  nearest: Mutable<NonNullable<FalseComparison['nearest']>> | undefined;
}

/**
 * Records the comparisons in scripts that were false. Allocates only when a comparison is false for the first time, and
 * at its first pair of numbers.
 */
export class FalseComparisons implements ScriptObserver {
  private readonly entries = new Map<Condition, Entry>();

  /** `now` returns the current tick. */
  constructor(private readonly now: () => number) {}

  enter() {}
  leave() {}

  conditionFalse(node: Condition, left: unknown, right: unknown) {
    const tick = this.now();
    let entry = this.entries.get(node);
    if (entry === undefined) {
      const sides = { tick, left, right };
      entry = { node, count: 0, first: sides, last: { ...sides }, nearest: undefined };
      this.entries.set(node, entry);
    }
    const { last, nearest } = entry;
    entry.count++;
    last.tick = tick;
    last.left = left;
    last.right = right;
    const distance = Math.abs(numberIn(left) - numberIn(right));
    if (nearest === undefined) {
      if (!Number.isNaN(distance)) entry.nearest = { tick, left, right, distance };
    } else if (distance < nearest.distance) {
      nearest.tick = tick;
      nearest.left = left;
      nearest.right = right;
      nearest.distance = distance;
    }
  }

  /** Adds comparisons that were recorded later. */
  add(later: FalseComparisons) {
    for (const { node, count, first, last, nearest } of later.all()) {
      const entry = this.entries.get(node);
      const isNearer = nearest !== undefined && !(nearest.distance >= (entry?.nearest?.distance ?? Infinity));
      this.entries.set(node, {
        node,
        count: count + (entry?.count ?? 0),
        first: entry?.first ?? first,
        last: { ...last },
        nearest: isNearer ? { ...nearest } : entry?.nearest,
      });
    }
  }

  clear() {
    this.entries.clear();
  }

  /** How often a comparison was false, and with which values; undefined if it was never false. */
  of(node: Condition): FalseComparison | undefined {
    return this.entries.get(node);
  }

  all(): Iterable<FalseComparison> {
    return this.entries.values();
  }
}

/** The value of a number or of a numeric string; NaN for anything else. */
function numberIn(value: unknown) {
  return typeof value === 'number' ? value : typeof value === 'string' && value !== '' ? Number(value) : NaN;
}
