import { editorMembers, type JsonRecord } from './value-text.ts';

/** Old keys of renamed things, with their new keys. */
export type Renames = ReadonlyMap<string, string>;

export const noRenames: Renames = new Map();

/** JSON text that does not depend on the order of members. Strings and keys are replaced according to `renames`. */
export function canonical(value: unknown, renames: Renames = noRenames): string {
  if (typeof value === 'string') return JSON.stringify(renames.get(value) ?? value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map((each) => canonical(each, renames)).join()}]`;
  const members = Object.entries(value as JsonRecord)
    .filter(([key, member]) => member !== undefined && !editorMembers.has(key))
    .map(([key, member]) => `${JSON.stringify(renames.get(key) ?? key)}:${canonical(member, renames)}`);
  return `{${members.sort().join()}}`;
}

/** Whether two values are equal, or were until things were renamed. */
export function isSame(before: unknown, after: unknown, renames: Renames): boolean {
  if (before === after) return true;
  const now = canonical(after);
  return canonical(before) === now || (renames.size > 0 && canonical(before, renames) === now);
}

/** The scalars in a value with the paths that lead to them, as a multiset. Positions in lists do not count. */
export function leavesOf(value: unknown): Map<string, number> {
  const leaves = new Map<string, number>();
  const add = (path: string, each: unknown): void => {
    if (typeof each !== 'object' || each === null) {
      const leaf = `${path}=${String(each)}`;
      leaves.set(leaf, (leaves.get(leaf) ?? 0) + 1);
    } else if (Array.isArray(each)) {
      for (const element of each) add(`${path}[]`, element);
    } else {
      for (const [key, member] of Object.entries(each)) if (!editorMembers.has(key)) add(`${path}.${key}`, member);
    }
  };
  add('', value);
  return leaves;
}

/** The share of leaves that two multisets have in common, from 0 to 1. */
export function similarity(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let common = 0;
  let total = 0;
  for (const [leaf, count] of a) {
    total += count;
    common += Math.min(count, b.get(leaf) ?? 0);
  }
  for (const count of b.values()) total += count;
  return total === 0 ? 1 : (2 * common) / total;
}
