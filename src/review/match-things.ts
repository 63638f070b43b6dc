import { closestWord } from '../text/index.ts';
import { canonical, leavesOf, similarity } from './canonical.ts';
import type { Thing } from './game-parts.ts';

export interface Matched<T extends Thing> {
  readonly pairs: readonly { readonly before: T; readonly after: T }[];
  readonly added: readonly T[];
  readonly removed: readonly T[];
}

/**
 * A removed and an added thing are considered the same one, renamed, only if at least this share of their values are
 * equal.
 */
const similarMin = 0.8;
/** Things with fewer values than this are never matched by similarity. */
const leavesMin = 4;
/** With more candidate pairs than this, things are matched only by equal content and equal names. */
const comparedMax = 40_000;

/**
 * Pairs things with the same identity; then the rest by equal content, by equal display name, and by similar content,
 * best first. `contentOf` is what identifies a thing besides its key and name.
 */
export function matchThings<T extends Thing>(
  before: readonly T[],
  after: readonly T[],
  identityOf: (thing: T) => string,
  contentOf: (thing: T) => unknown = (thing) => contentOfThing(thing),
): Matched<T> {
  const pairs: { before: T; after: T }[] = [];
  const byIdentity = new Map(after.map((thing) => [identityOf(thing), thing]));
  const removed = new Set<T>();
  const added = new Set(after);
  const pair = (old: T, now: T): void => {
    pairs.push({ before: old, after: now });
    removed.delete(old);
    added.delete(now);
  };
  for (const old of before) {
    const now = byIdentity.get(identityOf(old));
    if (now !== undefined && added.has(now)) pair(old, now);
    else removed.add(old);
  }
  if (removed.size > 0 && added.size > 0) {
    pairByContent(removed, added, contentOf, pair);
    pairByName(removed, added, pair);
    pairBySimilarity(removed, added, contentOf, pair);
  }
  return { pairs, added: [...added], removed: [...removed] };
}

function contentOfThing({ json }: Thing): unknown {
  const { name: _name, key: _key, ...content } = json;
  return content;
}

/**
 * Pairs things of equal content if the content is unique on each side or their names are similar: many variables start
 * as 0.
 */
function pairByContent<T extends Thing>(
  removed: ReadonlySet<T>,
  added: ReadonlySet<T>,
  contentOf: (thing: T) => unknown,
  pair: (old: T, now: T) => void,
): void {
  const group = (things: Iterable<T>): Map<string, T[]> => {
    const groups = new Map<string, T[]>();
    for (const thing of things) {
      const content = canonical(contentOf(thing));
      groups.set(content, [...(groups.get(content) ?? []), thing]);
    }
    return groups;
  };
  const [old, now] = [group(removed), group(added)];
  for (const [content, olds] of old) {
    const nows = now.get(content) ?? [];
    const isTelling = olds.length === 1 && nows.length === 1;
    for (const each of olds) {
      const free = nows.filter((other) => added.has(other));
      const other = isTelling ? free[0] : named(free, each);
      if (other !== undefined) pair(each, other);
    }
  }
}

function named<T extends Thing>(things: readonly T[], { name, key }: T): T | undefined {
  const found = things.find((thing) => thing.name === name);
  if (found !== undefined) return found;
  const meant = closestWord(
    key,
    things.map((thing) => thing.key),
  );
  return things.find((thing) => thing.key === meant);
}

function pairByName<T extends Thing>(
  removed: ReadonlySet<T>,
  added: ReadonlySet<T>,
  pair: (old: T, now: T) => void,
): void {
  for (const old of [...removed]) {
    const olds = [...removed].filter(({ name }) => name === old.name);
    const nows = [...added].filter(({ name }) => name === old.name);
    if (olds.length === 1 && nows.length === 1) pair(old, nows[0]!);
  }
}

function pairBySimilarity<T extends Thing>(
  removed: ReadonlySet<T>,
  added: ReadonlySet<T>,
  contentOf: (thing: T) => unknown,
  pair: (old: T, now: T) => void,
): void {
  if (removed.size * added.size > comparedMax) return;
  const leaves = (things: Iterable<T>) =>
    Array.from(things, (thing) => [thing, leavesOf(contentOf(thing))] as const).filter(
      ([, each]) => each.size >= leavesMin,
    );
  const nows = leaves(added);
  const scored = leaves(removed).flatMap(([old, a]) =>
    nows.map(([now, b]) => ({ old, now, score: similarity(a, b) })).filter(({ score }) => score >= similarMin),
  );
  for (const { old, now } of scored.sort((a, b) => b.score - a.score))
    if (removed.has(old) && added.has(now)) pair(old, now);
}
