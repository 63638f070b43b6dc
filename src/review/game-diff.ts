import { lineDiff } from './line-diff.ts';
import { labelOf, thingLines } from './print.ts';
import type { Thing } from './things.ts';
import { canonicalJson } from './value-text.ts';

/**
 * The version of the format of `reenact diff --json`. It increases with changes that old readers would misinterpret.
 */
const diffFormat = 'reenact-diff/2';

export interface GameDiff {
  readonly format: typeof diffFormat;
  readonly isEqual: boolean;
  /**
   * The things that differ, by kind of thing in the order in which games are printed. Removed things come last within
   * their kind.
   */
  readonly things: readonly ThingChange[];
}

export interface ThingChange extends Pick<Thing, 'section' | 'noun' | 'key' | 'name'> {
  readonly kind: 'added' | 'removed' | 'changed';
  /**
   * The former section, key and name, if the thing was moved or renamed: its content equals that of a thing that no
   * longer exists.
   */
  readonly was?: Pick<Thing, 'section' | 'key' | 'name'>;
  /** The printed lines that differ, marked as by `lineDiff`. */
  readonly lines: readonly string[];
}

/** Compares two games thing by thing, by their printed text. */
export function diffGames(before: readonly Thing[], after: readonly Thing[]): GameDiff {
  const old = new Map(before.map((thing) => [placeOf(thing), thing]));
  const places = new Set(after.map(placeOf));
  const removed = new Set(before.filter((thing) => !places.has(placeOf(thing))));
  const renamed = renamedThings(
    [...removed],
    after.filter((thing) => !old.has(placeOf(thing))),
  );
  for (const was of renamed.values()) removed.delete(was);
  const things = [
    ...after.flatMap((thing) => changeOf(old.get(placeOf(thing)) ?? renamed.get(thing), thing) ?? []),
    ...Array.from(removed, (thing): ThingChange => {
      return { ...placed(thing), kind: 'removed', lines: lineDiff(textsOf(thing), []) };
    }),
  ];
  const nouns = [...new Set([...after, ...before].map(({ noun }) => noun))];
  things.sort((a, b) => nouns.indexOf(a.noun) - nouns.indexOf(b.noun));
  things.push(...orderChanges(before, after));
  return { format: diffFormat, isEqual: things.length === 0, things };
}

function placeOf({ section, key }: Thing) {
  return JSON.stringify([section, key]);
}

function placed({ section, noun, key, name }: Thing) {
  return { section, noun, key, name };
}

/**
 * Maps new things to removed things of equal content. If several things have the same content, none of them is mapped.
 */
function renamedThings(removed: readonly Thing[], added: readonly Thing[]) {
  const contents = new Map(
    [...removed, ...added].map((thing) => [thing, `${thing.noun} ${canonicalJson(thing.json)}`]),
  );
  const alike = (things: readonly Thing[], thing: Thing) =>
    things.filter((other) => contents.get(other) === contents.get(thing));
  return new Map(
    added.flatMap((thing): [Thing, Thing][] => {
      const [was, ...others] = alike(removed, thing);
      return was === undefined || others.length > 0 || alike(added, thing).length > 1 ? [] : [[thing, was]];
    }),
  );
}

function changeOf(was: Thing | undefined, now: Thing): ThingChange | undefined {
  if (was === undefined) return { ...placed(now), kind: 'added', lines: lineDiff([], textsOf(now)) };
  let [before, after] = [textsOf(was), textsOf(now, was)];
  if (before.join('\n') === after.join('\n')) {
    if (canonicalJson(was.json) === canonicalJson(now.json)) return undefined;
    // Compare the JSON, because the printed lines leave out some of it, such as blank values and the types of operands.
    [before, after] = [jsonLines(was, before[0]!), jsonLines(now, after[0]!)];
  }
  const { section, key, name } = was;
  const isRenamed = placeOf(was) !== placeOf(now);
  return {
    ...placed(now),
    kind: 'changed',
    ...(isRenamed && { was: { section, key, name } }),
    lines: lineDiff(before, after),
  };
}

function textsOf(thing: Thing, before?: Thing) {
  return thingLines(thing, before).map(({ text }) => text);
}

function jsonLines({ json }: Thing, head: string) {
  return [head, ...canonicalJson(json, 2).split('\n').slice(1, -1)];
}

/** Changes of the order in which the scripts of a trigger run. Scripts that only one of the games has are ignored. */
function orderChanges(before: readonly Thing[], after: readonly Thing[]): ThingChange[] {
  const old = listeners(before);
  return Array.from(listeners(after)).flatMap(([place, { trigger, scripts }]): ThingChange[] => {
    const former = old.get(place)?.scripts ?? [];
    const shared = (list: readonly Thing[], others: readonly Thing[]): Thing[] =>
      list.filter(({ key }) => others.some((other) => other.key === key));
    const [was, now] = [shared(former, scripts), shared(scripts, former)];
    if (was.every(({ key }, i) => key === now[i]!.key)) return [];
    const order: Thing = { ...now[0]!, noun: 'order of scripts', key: trigger, name: trigger };
    const linesOf = (list: readonly Thing[]) => [
      labelOf(order),
      ...list.map(({ name }) => `  script ${JSON.stringify(name)}`),
    ];
    return [{ ...placed(order), kind: 'changed', lines: lineDiff(linesOf(was), linesOf(now)) }];
  });
}

/** The scripts of the game, or of a type, that listen to the same trigger, in the order in which they run. */
function listeners(things: readonly Thing[]) {
  const found = new Map<string, { readonly trigger: string; readonly scripts: readonly Thing[] }>();
  const scripts = things.filter(({ script }) => script !== undefined);
  for (const thing of scripts.sort((a, b) => a.script!.index - b.script!.index)) {
    for (const trigger of thing.script!.source.triggers) {
      const place = JSON.stringify([thing.section, trigger]);
      found.set(place, { trigger, scripts: [...(found.get(place)?.scripts ?? []), thing] });
    }
  }
  return found;
}
