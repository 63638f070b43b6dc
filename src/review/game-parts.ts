import { isRecord } from '../../engine/core/index.ts';
import type { LoadedGame, ScriptNode } from '../../engine/index.ts';
import { scriptsOf } from '../../engine/tools.ts';
import { gameTitle } from '../text/index.ts';
import { byText, isScalar, type JsonRecord } from './value-text.ts';

/** A keyed part of a game: a type, a variable, a script, a shop. */
export interface Thing {
  readonly key: string;
  /** The display name; the key if it has none. */
  readonly name: string;
  readonly json: JsonRecord;
}

export interface Section {
  /** The member of the data object, such as `unitTypes`. */
  readonly key: string;
  readonly noun: string;
  /** Sorted by name, then by key. */
  readonly things: readonly Thing[];
}

/** The parts of a game, independent of the envelope of its document and the order of its keys. */
export interface GameParts {
  readonly title: string | undefined;
  readonly sections: readonly Section[];
  /** The scripts in `sections` and their things, by their JSON. */
  readonly scripts: ReadonlyMap<unknown, ScriptNode>;
  readonly map: JsonRecord | undefined;
  /** Everything else: settings, metadata, and members that no section describes. */
  readonly rest: JsonRecord;
}

/** The sections in the order in which they are listed: those that decide how a game plays first, appearance last. */
const nouns = {
  unitTypes: 'unit type',
  itemTypes: 'item type',
  projectileTypes: 'projectile type',
  playerTypes: 'player type',
  attributeTypes: 'attribute',
  variables: 'variable',
  regions: 'region',
  entityTypeVariables: 'variable of every entity',
  playerTypeVariables: 'variable of every player',
  scripts: 'script',
  abilities: 'ability',
  buffTypes: 'buff',
  shops: 'shop',
  dialogues: 'dialogue',
  factions: 'faction',
  roles: 'role',
  bodyTypes: 'body',
  states: 'state',
  animationTypes: 'animation',
  particleTypes: 'particle type',
  particles: 'particle',
  sound: 'sound',
  music: 'music',
  tilesets: 'tileset',
  images: 'image',
  ui: 'view',
  folders: 'folder',
} as const;

/** Splits a loaded document. The game must have been loaded from it. */
export function partsOf(document: unknown, game: LoadedGame): GameParts {
  const { data, beside } = opened(document);
  const { defaultData, map, title: _title, settings, ...others } = data;
  const sections: Section[] = [];
  const variables = entriesOf(data['variables']);
  const isRegion = ([, value]: readonly [string, unknown]): boolean =>
    isRecord(value) && value['dataType'] === 'region';
  const members: Readonly<Record<string, readonly (readonly [string, unknown])[] | undefined>> = {
    variables: variables?.filter((entry) => !isRegion(entry)),
    regions: [...(variables?.filter(isRegion) ?? []), ...(entriesOf(data['regions']) ?? [])],
  };
  for (const [key, noun] of Object.entries(nouns)) {
    const entries = members[key] ?? entriesOf(data[key]);
    // A section that is not a collection of objects is left in `rest`.
    if (entries === undefined || !entries.every(([, value]) => isRecord(value))) continue;
    const things = entries.map(([id, value]) => thingOf(id, value as JsonRecord));
    sections.push({ key, noun, things: things.sort((a, b) => byText(a.name, b.name) || byText(a.key, b.key)) });
    delete others[key];
  }
  const metadata = { ...beside, ...(isRecord(defaultData) ? defaultData : {}) };
  return {
    title: gameTitle(game.definition),
    sections,
    scripts: scriptsByJson(document, game),
    map: isRecord(map) ? map : undefined,
    rest: { settings, ...collectionsOnly(others), metadata: { ...scalarsOnly(others), ...withoutTitle(metadata) } },
  };
}

function collectionsOnly(value: JsonRecord): JsonRecord {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => !isScalar(member)));
}

function scalarsOnly(value: JsonRecord): JsonRecord {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => isScalar(member)));
}

function withoutTitle({ title: _, $schema: _schema, ...metadata }: JsonRecord): JsonRecord {
  return metadata;
}

/** The data object in any of the three forms of a document, and the metadata around it. */
function opened(document: unknown): { readonly data: Record<string, unknown>; readonly beside: JsonRecord } {
  if (!isRecord(document)) return { data: {}, beside: {} };
  const { gameJson } = document;
  if (isRecord(gameJson)) return { data: { ...(isRecord(gameJson['data']) ? gameJson['data'] : {}) }, beside: {} };
  const { data, ...beside } = document;
  if (isRecord(data)) return { data: { ...data }, beside };
  const { $schema: _, ...bare } = document;
  return { data: bare, beside: {} };
}

/** A collection is an object, or a list whose elements may have a key of their own. */
function entriesOf(value: unknown): readonly (readonly [string, unknown])[] | undefined {
  if (isRecord(value)) return Object.entries(value);
  if (!Array.isArray(value)) return undefined;
  const taken = new Set<string>();
  return value.map((each: unknown, i) => {
    const own = isRecord(each) ? (each['key'] ?? each['_id'] ?? each['name']) : undefined;
    const isOwn = typeof own === 'string' && own !== '' && !taken.has(own);
    const key = isOwn ? own : String(i);
    taken.add(key);
    return [key, each] as const;
  });
}

function thingOf(key: string, json: JsonRecord): Thing {
  const name = json['name'] ?? json['folderName'];
  return { key, name: typeof name === 'string' && name !== '' ? name : key, json };
}

function scriptsByJson(document: unknown, game: LoadedGame): ReadonlyMap<unknown, ScriptNode> {
  const found = new Map<unknown, ScriptNode>();
  for (const script of scriptsOf(game.definition).scripts) {
    const json = script.keys.reduce<unknown>(
      (value, key) => (typeof value === 'object' && value !== null ? (value as JsonRecord)[key] : undefined),
      document,
    );
    if (json !== undefined) found.set(json, script);
  }
  return found;
}

/** The scripts of a type, sorted like the things of a section. */
export function scriptsIn({ json }: Thing): readonly Thing[] {
  const entries = entriesOf(json['scripts']) ?? [];
  return entries
    .flatMap(([key, value]) => (isRecord(value) ? [thingOf(key, value)] : []))
    .sort((a, b) => byText(a.name, b.name) || byText(a.key, b.key));
}

/** `"Human" (human)`, or `human` if it has no other name. */
export function thingText({ key, name }: Pick<Thing, 'key' | 'name'>): string {
  return name === key ? JSON.stringify(name) : `${JSON.stringify(name)} (${key})`;
}
