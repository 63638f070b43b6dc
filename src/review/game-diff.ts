import { isRecord } from '../../engine/core/index.ts';
import type { ScriptNode } from '../../engine/index.ts';
import { amount } from '../text/index.ts';
import type { Renames } from './canonical.ts';
import { type FieldChange, fieldChanges } from './field-diff.ts';
import { type GameParts, type Section, scriptsIn, type Thing } from './game-parts.ts';
import { type MapDiff, mapDiff } from './map-diff.ts';
import { type Matched, matchThings } from './match-things.ts';
import { otherMembers, triggersText } from './print.ts';
import { type LineChange, linesOf, scriptDiff } from './script-diff.ts';
import { byText, type JsonRecord, valueLines } from './value-text.ts';

/** The format of `reenact diff --json`. It increases with changes that old readers would misinterpret. */
const diffFormat = 'reenact-diff/1';

export interface GameDiff {
  readonly format: typeof diffFormat;
  readonly isEqual: boolean;
  /** What changed, by section, in the order of importance. */
  readonly things: readonly ThingChange[];
  readonly map: MapDiff | null;
  /** Settings, metadata and what no section describes; the first key of a path says which. */
  readonly rest: readonly FieldChange[];
  /** Triggers whose scripts run in another order, with the names of these scripts. */
  readonly orders: readonly OrderChange[];
  /** The number of texts that changed only because they name something that was renamed. */
  readonly followed: number;
}

export interface ThingChange {
  /** `unit type`, `script`, `variable` … */
  readonly noun: string;
  /** The member of the data object, such as `unitTypes`. */
  readonly section: string;
  readonly kind: 'added' | 'removed' | 'changed';
  readonly key: string;
  readonly name: string;
  /** The type that a script belongs to; undefined for global scripts and other things. */
  readonly owner?: ThingName;
  /** The former key, name or owner, if it was renamed or moved. */
  readonly was?: ThingName & { readonly owner?: ThingName };
  /** Set for a script whose owner changed: it belongs to another type, or became global or ceased to be. */
  readonly isMoved?: true;
  /** A summary of an added or removed thing, such as `3 attributes, 1 script`. */
  readonly about?: string;
  readonly fields: readonly FieldChange[];
  /** Changed lines of a script; undefined for other things. */
  readonly lines?: readonly LineChange[];
}

export interface ThingName {
  readonly noun?: string;
  readonly key: string;
  readonly name: string;
}

interface OrderChange {
  readonly trigger: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** A script with the type that it belongs to. */
interface OwnedScript extends Thing {
  readonly owner: (Thing & { readonly section: string; readonly noun: string }) | undefined;
  readonly node: ScriptNode | undefined;
}

/** Compares two games by what they consist of, not by the text of their documents. */
export function diffGames(before: GameParts, after: GameParts): GameDiff {
  const sections = after.sections.map((section) => {
    const old = before.sections.find(({ key }) => key === section.key)?.things ?? [];
    return { section, matched: matchThings(old, section.things, ({ key }) => key, contentOf) };
  });
  for (const section of before.sections) {
    if (after.sections.some(({ key }) => key === section.key)) continue;
    sections.push({ section, matched: { pairs: [], added: [], removed: section.things } });
  }
  const types = sections.filter(({ section }) => section.key !== 'scripts');
  const renames = renamesOf(types.map(({ matched }) => matched));
  const scripts = matchScripts(before, after, renames);
  for (const { before: old, after: now } of scripts.pairs) if (old.key !== now.key) renames.set(old.key, now.key);

  let followed = 0;
  const changeOf = (section: Section, old: Thing, now: Thing): ThingChange | undefined => {
    const { scripts: _old, name: _oldName, ...oldOwn } = old.json;
    const { scripts: _now, name: _nowName, ...nowOwn } = now.json;
    const diff = fieldChanges(oldOwn, nowOwn, renames);
    followed += diff.followed;
    const was = old.key === now.key && old.name === now.name ? {} : { was: { key: old.key, name: old.name } };
    if (diff.changes.length === 0 && !('was' in was)) return undefined;
    const { noun, key } = section;
    const fields = key === 'regions' ? wholeRectangle(diff.changes, oldOwn, nowOwn) : diff.changes;
    return { noun, section: key, kind: 'changed', key: now.key, name: now.name, ...was, fields };
  };
  const things: ThingChange[] = [];
  const scriptChanges = (): void => {
    const whole = types.flatMap(({ matched: { added, removed } }) => [...added, ...removed]);
    const found = scriptThings(scripts, new Set(whole.map(({ json }) => json)), renames);
    things.push(...found.things);
    followed += found.followed;
  };
  for (const { section, matched } of sections) {
    if (section.key === 'scripts') {
      scriptChanges();
      continue;
    }
    const { noun, key: of } = section;
    const whole = (kind: 'added' | 'removed', thing: Thing): ThingChange => {
      return { noun, section: of, kind, key: thing.key, name: thing.name, about: aboutThing(thing), fields: [] };
    };
    things.push(
      ...matched.pairs.flatMap(({ before: old, after: now }) => changeOf(section, old, now) ?? []),
      ...matched.added.map((thing) => whole('added', thing)),
      ...matched.removed.map((thing) => whole('removed', thing)),
    );
  }
  if (!sections.some(({ section }) => section.key === 'scripts')) scriptChanges();
  const map = mapDiff(before.map, after.map, renames) ?? null;
  const rest = fieldChanges({ title: before.title, ...before.rest }, { ...after.rest, title: after.title }, renames);
  const orders = orderChanges(scripts);
  const isEqual = things.length === 0 && map === null && rest.changes.length === 0 && orders.length === 0;
  return { format: diffFormat, isEqual, things, map, rest: rest.changes, orders, followed: followed + rest.followed };
}

/** A region changes as a rectangle, not by its sides. */
function wholeRectangle(changes: readonly FieldChange[], before: JsonRecord, after: JsonRecord): FieldChange[] {
  const others = changes.filter(({ path }) => !path.startsWith('default'));
  if (others.length === changes.length) return others;
  return [{ path: 'default', before: before['default'], after: after['default'] }, ...others];
}

function contentOf({ json }: Thing): unknown {
  const { name: _name, key: _key, scripts, ...content } = json;
  // The order and the keys of scripts say little about what a type is.
  return { ...content, scripts: isRecord(scripts) ? Object.values(scripts) : scripts };
}

function renamesOf(all: readonly Matched<Thing>[]): Map<string, string> {
  const renames = new Map<string, string>();
  for (const { pairs } of all)
    for (const { before, after } of pairs) if (before.key !== after.key) renames.set(before.key, after.key);
  return renames;
}

function ownedScripts(game: GameParts): OwnedScript[] {
  return game.sections.flatMap(({ key: section, noun, things }) => {
    const withNode = (thing: Thing, owner: OwnedScript['owner']): OwnedScript => {
      return { ...thing, owner, node: game.scripts.get(thing.json) };
    };
    if (section === 'scripts') return things.map((thing) => withNode(thing, undefined));
    return things.flatMap((thing) => scriptsIn(thing).map((script) => withNode(script, { ...thing, noun, section })));
  });
}

/** Scripts are matched across the whole game, because they move between types. */
function matchScripts(before: GameParts, after: GameParts, renames: Renames): Matched<OwnedScript> {
  const identity = ({ owner, key }: OwnedScript, renamed: Renames): string =>
    JSON.stringify([owner?.section, owner && (renamed.get(owner.key) ?? owner.key), key]);
  const old = ownedScripts(before);
  const oldOnes = new Set(old);
  return matchThings(old, ownedScripts(after), (script) => identity(script, oldOnes.has(script) ? renames : new Map()));
}

/** The scripts of `whole` types, which were added or removed, are not listed: the type is. */
function scriptThings(
  { pairs, added, removed }: Matched<OwnedScript>,
  whole: ReadonlySet<unknown>,
  renames: Renames,
): { readonly things: readonly ThingChange[]; readonly followed: number } {
  let followed = 0;
  const nameOf = ({ key, name, owner, node, json }: OwnedScript) => ({
    noun: node === undefined && 'folderName' in json ? 'script folder' : 'script',
    section: owner === undefined ? 'scripts' : `${owner.section}/${owner.key}/scripts`,
    key,
    name,
    ...(owner !== undefined && { owner: { noun: owner.noun, key: owner.key, name: owner.name } }),
  });
  const complete = (kind: 'added' | 'removed', scripts: readonly OwnedScript[]): ThingChange[] =>
    scripts
      .filter(({ owner }) => owner === undefined || !whole.has(owner.json))
      .map((script) => {
        const { node } = script;
        if (node === undefined) return { ...nameOf(script), kind, fields: [] };
        const lines = linesOf(node).map(
          (line): LineChange =>
            kind === 'added' ? { kind: 'inserted', after: line } : { kind: 'removed', before: line },
        );
        return { ...nameOf(script), kind, about: triggersText(node.source.triggers), fields: [], lines };
      });
  const changed = pairs.flatMap(({ before, after }): ThingChange[] => {
    const fields = fieldChanges(triggersAndMore(before), triggersAndMore(after), renames);
    const body = before.node && after.node && scriptDiff(before.node, after.node, renames);
    const lines = body?.lines.some(({ kind }) => kind !== 'same') === true ? body.lines : undefined;
    followed += fields.followed + (body?.followed ?? 0);
    const isMoved: boolean =
      before.owner?.section !== after.owner?.section ||
      (before.owner !== undefined && (renames.get(before.owner.key) ?? before.owner.key) !== after.owner?.key);
    const isRenamed = before.key !== after.key || before.name !== after.name;
    if (!isMoved && !isRenamed && fields.changes.length === 0 && lines === undefined) return [];
    const { owner, key, name } = nameOf(before);
    const was = isMoved || isRenamed ? { was: { key, name, ...(isMoved && owner && { owner }) } } : {};
    const moved = isMoved ? { isMoved: true as const } : {};
    return [{ ...nameOf(after), kind: 'changed', ...was, ...moved, fields: fields.changes, ...(lines && { lines }) }];
  });
  return {
    things: [...changed, ...complete('added', added), ...complete('removed', removed)],
    followed,
  };
}

/** The triggers, by name, and what the lines of a script do not show. */
function triggersAndMore(script: OwnedScript): JsonRecord {
  const { node } = script;
  return { ...otherMembers(script), ...(node !== undefined && { triggers: node.source.triggers }) };
}

function aboutThing({ json }: Thing): string {
  const countOf = (value: unknown): number => (isRecord(value) ? Object.keys(value).length : 0);
  const parts = (['attribute', 'state', 'script'] as const).flatMap((noun) => {
    const count = countOf(json[`${noun}s`]);
    return count === 0 ? [] : [amount(count, noun)];
  });
  if (parts.length > 0) return parts.join(', ');
  // A thing that fits on one line is shown in full.
  const line = valueLines('it', json);
  return line.length === 1 ? line[0]!.replace(/^it(?: ".*?")?:? ?/, '') : '';
}

/** Triggers whose global scripts, as far as both games have them, run in another order. */
function orderChanges({ pairs }: Matched<OwnedScript>): OrderChange[] {
  const nodes = pairs.flatMap(({ before, after }) =>
    before.owner === undefined && after.owner === undefined && before.node && after.node
      ? [{ before: before.node, after: after.node }]
      : [],
  );
  const triggers = new Set(nodes.flatMap(({ after }) => after.source.triggers));
  return [...triggers].sort(byText).flatMap((trigger) => {
    const listening = nodes.filter((pair) =>
      [pair.before, pair.after].every((s) => s.source.triggers.includes(trigger)),
    );
    const inOrder = (side: 'before' | 'after') => listening.toSorted((a, b) => a[side].index - b[side].index);
    const [old, now] = [inOrder('before'), inOrder('after')];
    if (old.every((pair, i) => pair === now[i])) return [];
    return [{ trigger, before: old.map(({ after }) => after.name), after: now.map(({ after }) => after.name) }];
  });
}
