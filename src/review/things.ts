import { defined, isObject, isRecord, joinPointer } from '../../engine/core/index.ts';
import type { LoadedGame, ScriptNode } from '../../engine/index.ts';
import { scriptsOf } from '../../engine/tools.ts';
import { gameTitle } from '../text/index.ts';
import { byText, isBlank, isScalar, type JsonRecord } from './value-text.ts';

/** A part of a game that is printed and compared on its own, such as a type, a script, a variable or the map. */
export interface Thing {
  /** The member of the data object, such as `unitTypes`; for scripts of a type, `unitTypes/zombie/scripts`. */
  readonly section: string;
  readonly noun: string;
  /** The key, unique within the section; empty if the section is a single thing, such as the map. */
  readonly key: string;
  /** The display name; the key if it has none. */
  readonly name: string;
  /** The JSON Pointer of the thing; undefined if its members come from several places. */
  readonly pointer?: string;
  /** The type that a script belongs to. */
  readonly owner?: Thing;
  /** The content without key and name, and without the scripts of a type, which are things of their own. */
  readonly json: unknown;
  /** The parsed script, if the game can run it. */
  readonly script?: ScriptNode | undefined;
}

/**
 * The nouns for the entries of sections. The order of this list is the order of the sections: first those that decide
 * how a game plays, last those about its appearance.
 */
export const sectionNouns = {
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

type Entry = readonly [key: string, value: JsonRecord, pointer: string];

/**
 * Splits a document into its things, independent of its envelope and the order of its keys. `game` must have been
 * loaded from this document.
 */
export function thingsOf(document: unknown, game: LoadedGame): Thing[] {
  const { data, beside, keys } = opened(document);
  const root = keys.reduce(joinPointer, '');
  const { defaultData, map, title: _title, settings, ...others } = data;
  const scripts = new Map(
    scriptsOf(game.definition).scripts.map((script) => [script.keys.slice(keys.length).join('/'), script]),
  );

  const thingsIn = (section: string, noun: string, entries: readonly Entry[], owner?: Thing): Thing[] =>
    entries
      .map(([key, { name, key: own, ...json }, pointer]): Thing & { readonly json: JsonRecord } => {
        const shown = name ?? json['folderName'];
        const script = scripts.get(`${section}/${key}`);
        return {
          section,
          noun,
          key,
          name: typeof shown === 'string' && shown !== '' ? shown : key,
          pointer,
          ...defined({ owner, script }),
          json: { ...json, ...(own !== key && { key: own }) },
        };
      })
      .sort((a, b) => byText(a.name, b.name) || byText(a.key, b.key))
      .flatMap((thing) => {
        const { scripts: own, ...json } = thing.json;
        const entries = collectionOf(own, joinPointer(thing.pointer!, 'scripts'));
        if (entries === undefined) return [thing];
        return [{ ...thing, json }, ...thingsIn(`${section}/${thing.key}/scripts`, 'script', entries, thing)];
      });

  const isRegion = ([, value]: Entry) => value['dataType'] === 'region';
  const collections: Record<string, readonly Entry[] | undefined> = Object.fromEntries(
    Object.keys(sectionNouns).map((section) => [section, collectionOf(data[section], joinPointer(root, section))]),
  );
  const { variables, regions = [] } = collections;
  collections['variables'] = variables?.filter((entry) => !isRegion(entry));
  collections['regions'] = [...(variables?.filter(isRegion) ?? []), ...regions];
  const sections = Object.entries(sectionNouns).flatMap(([section, noun]) => {
    const entries = collections[section];
    if (entries === undefined) return [];
    delete others[section];
    return thingsIn(section, noun, entries);
  });
  const rest = Object.entries(others);
  const {
    title: _,
    $schema: _schema,
    ...metadata
  } = {
    ...Object.fromEntries(rest.filter(([, value]) => isScalar(value))),
    ...beside,
    ...(isRecord(defaultData) ? defaultData : {}),
  };
  const singles = (members: JsonRecord): Thing[] =>
    Object.entries(members).flatMap(([key, json]) =>
      isBlank(json)
        ? []
        : [
            {
              section: key,
              noun: key,
              key: '',
              name: '',
              json,
              ...(key in data && { pointer: joinPointer(root, key) }),
            },
          ],
    );
  return [
    ...singles({ title: gameTitle(game.definition), settings }),
    ...sections,
    ...singles({ map, ...Object.fromEntries(rest.filter(([, value]) => !isScalar(value))), metadata }),
  ];
}

interface OpenedDocument {
  readonly data: Record<string, unknown>;
  /** The metadata next to the data object. */
  readonly beside: JsonRecord;
  /** The keys that lead to the data object. */
  readonly keys: readonly string[];
}

/** Finds the data object in any of the three forms of a document. */
function opened(document: unknown): OpenedDocument {
  if (!isRecord(document)) return { data: {}, beside: {}, keys: [] };
  const { gameJson } = document;
  if (isRecord(gameJson)) {
    const { data } = gameJson;
    return { data: isRecord(data) ? { ...data } : {}, beside: {}, keys: ['gameJson', 'data'] };
  }
  const { data, ...beside } = document;
  return isRecord(data)
    ? { data: { ...data }, beside, keys: ['data'] }
    : { data: { ...document }, beside: {}, keys: [] };
}

/** The entries of an object or list of objects; undefined for anything else. */
function collectionOf(value: unknown, pointer: string): readonly Entry[] | undefined {
  if (!isObject(value)) return undefined;
  const entries = Object.entries(value).map(([key, each]) => [key, each, joinPointer(pointer, key)] as const);
  return entries.every((entry): entry is Entry => isRecord(entry[1])) ? entries : undefined;
}
