import type { Condition, ScriptWatcher } from '../../engine/index.ts';

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

interface Entry {
  count: number;
  left: unknown;
  right: unknown;
  distance: number;
}

/** Collects the comparisons of one play that were false. */
export class NearMisses implements ScriptWatcher {
  private readonly entries = new Map<Condition, Entry>();
  /** The script places whose own condition was false. */
  readonly idleScripts = new Set<string>();

  enter(): void {}
  leave(): void {}

  conditionFalse(node: Condition, left: unknown, right: unknown): void {
    const distance =
      typeof left === 'number' && typeof right === 'number' ? Math.abs(left - right) : Number.POSITIVE_INFINITY;
    const entry = this.entries.get(node);
    if (entry === undefined) {
      this.entries.set(node, { count: 1, left, right, distance });
      const { script } = node;
      if (isWithin(node, script.conditions)) this.idleScripts.add(script.place);
      return;
    }
    entry.count++;
    if (distance >= entry.distance) return;
    entry.left = left;
    entry.right = right;
    entry.distance = distance;
  }

  list(): NearMiss[] {
    return [...this.entries].map(([{ pointer }, { count, left, right, distance }]) => ({
      pointer,
      count,
      left: plain(left),
      right: plain(right),
      distance: Number.isFinite(distance) ? distance : null,
    }));
  }
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

function isWithin(node: Condition, root: Condition): boolean {
  let at: { readonly parent: unknown } = node;
  while (at !== root && at.parent !== undefined) at = at.parent as Condition;
  return at === root;
}

function plain(value: unknown): Plain {
  return typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean' ? value : null;
}
