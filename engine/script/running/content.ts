import type { Dictionary } from '../../core/plain-object.ts';
import { EntityRef } from '../../world/entity.ts';
import type { ScriptContext } from './context.ts';
import { countMembers } from './work.ts';

/** Whether a value is undefined, null or NaN. */
export function isMissing(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'number' && Number.isNaN(value));
}

/**
 * Deep equality of two objects or lists; the order of keys does not matter. Scripts can put an object into itself, or
 * repeatedly put one object twice into another, so that it unfolds to exponentially many members. Each pair is
 * therefore compared once and then merged (union-find, as in the equivalence test of finite automata), without
 * recursion.
 */
export function sameContent(left: object, right: object, context?: ScriptContext): boolean {
  const merged = new Map<object, object>();
  const representative = (of: object): object => {
    let found = of;
    for (let next = merged.get(found); next !== undefined; next = merged.get(found)) found = next;
    if (found !== of) merged.set(of, found);
    return found;
  };
  const pairs: [unknown, unknown][] = [[left, right]];
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [a, b] = pair;
    if (a === b || (isMissing(a) && isMissing(b))) continue;
    if (!isContainer(a) || !isContainer(b) || Array.isArray(a) !== Array.isArray(b)) return false;
    const first = representative(a);
    const second = representative(b);
    if (first === second) continue;
    merged.set(first, second);
    const members = Object.entries(a);
    if (context !== undefined) countMembers(context, members.length + 1);
    for (const [key, member] of members) pairs.push([member, ownMember(b, key)]);
    for (const [key, member] of Object.entries(b)) if (!Object.hasOwn(a, key)) pairs.push([undefined, member]);
  }
  return true;
}

function isContainer(value: unknown): value is object {
  return value !== null && typeof value === 'object' && !(value instanceof EntityRef);
}

function ownMember(of: object, key: string): unknown {
  return Object.hasOwn(of, key) ? (of as Dictionary)[key] : undefined;
}
