import { defaultJsonLimits } from '../../engine/core/json-guard.ts';
import { RandomStream } from '../../engine/core/random.ts';
import { type CatalogueOperation, catalogue, triggerTypes } from '../../engine/index.ts';
import { hostileKeys, hostileNumbers, hostileTexts } from './hostile.ts';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Holder = Json[] | { [key: string]: Json };

/** A position in a document: its container, and the key or index there. */
interface Place {
  readonly holder: Holder;
  readonly key: string;
}

const { actions, functions } = catalogue();

/** Children of one container that a walk chooses from. A map has thousands of tiles, and a few represent them all. */
const childrenMax = 40;
/** The chance that a walk ends at each level, so that it reaches sections as well as leaves. */
const stopChance = 0.12;
const changesMax = 6;
const listMax = 2000;
const depthMax = 800;
/**
 * Above the reader's limit, so that its refusal is tested; far below the length at which writing the text takes
 * minutes.
 */
export const mutantTextMax = 2 * defaultJsonLimits.bytesMax;

const isHolder = (value: Json | undefined): value is Holder => typeof value === 'object' && value !== null;

/** Defines an own member of any name: assigning `__proto__` would not create one. */
function put(holder: Holder, key: string, value: Json): void {
  Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true });
}

const at = ({ holder, key }: Place): Json => (holder as { [key: string]: Json })[key]!;

/**
 * Changes the parsed document in one to six random ways: values, keys, structure, and scripts. Also returns the names
 * of the changes. A change that makes the text longer than `mutantTextMax` is dropped and ends the mutation. Lists of
 * 2000 in lists of 2000 share their members in memory, but their text would have gigabytes.
 */
export function mutantOf(text: string, stream: () => RandomStream): { document: Json; changes: string[] } {
  for (let most = changesMax; ; ) {
    const document = JSON.parse(text) as Json;
    const done = mutate(document, stream(), most);
    if (done.length === 0 || textLength(document) <= mutantTextMax) return { document, changes: done };
    most = done.length - 1;
  }
}

/** Changes a document in place, until it is too large. */
function mutate(document: Json, random: RandomStream, most: number): string[] {
  const done: string[] = [];
  const count = 1 + random.integer(0, changesMax - 1);
  for (let i = 0; i < count && done.length < most; i++) {
    const [name, change] = random.pick(changes)!;
    if (!change(document, random)) continue;
    done.push(name);
    if (textLength(document) > mutantTextMax) break;
  }
  return done;
}

/** The length of a document as text, without writing it. A part that occurs in many places is measured once. */
export function textLength(document: Json): number {
  const known = new Map<Holder, number>();
  const lengthOf = (value: Json): number => {
    if (!isHolder(value)) return JSON.stringify(value).length;
    let length = known.get(value);
    if (length !== undefined) return length;
    const isList = Array.isArray(value);
    const keys = Object.keys(value);
    length = 2 + Math.max(0, keys.length - 1);
    for (const key of keys)
      length += (isList ? 0 : JSON.stringify(key).length + 1) + lengthOf(at({ holder: value, key }));
    known.set(value, length);
    return length;
  };
  return lengthOf(document);
}

type Change = (document: Json, random: RandomStream) => boolean;

/** A position reached by a random walk from the root; undefined in an empty document. */
function somewhere(
  document: Json,
  random: RandomStream,
  wanted: (value: Json) => boolean = () => true,
): Place | undefined {
  for (let attempt = 0; attempt < 12; attempt++) {
    let holder: Json = document;
    let place: Place | undefined;
    while (isHolder(holder)) {
      const keys = Object.keys(holder);
      if (keys.length === 0) break;
      const offset = keys.length > childrenMax ? random.integer(0, keys.length - childrenMax) : 0;
      const key = keys[offset + random.integer(0, Math.min(childrenMax, keys.length) - 1)]!;
      place = { holder, key };
      holder = at(place);
      if (random.chance(stopChance) && wanted(holder)) return place;
    }
    if (place !== undefined && wanted(at(place))) return place;
  }
  return undefined;
}

interface ScriptParts {
  readonly lists: Json[][];
  readonly operations: Place[];
  /** Keys of scripts. */
  readonly scripts: string[];
  readonly triggers: Json[][];
  /** Objects that hold scripts by key, of the game and of types. */
  readonly folders: { [key: string]: Json }[];
}

/** All lists of actions, conditions and triggers, and all operations, anywhere in a document. */
function scriptParts(document: Json): ScriptParts {
  const lists: Json[][] = [];
  const operations: Place[] = [];
  const scripts: string[] = [];
  const triggers: Json[][] = [];
  const folders: { [key: string]: Json }[] = [];
  const waiting: Json[] = [document];
  for (let holder = waiting.pop(); holder !== undefined; holder = waiting.pop()) {
    if (!isHolder(holder)) continue;
    if (Array.isArray(holder) && holder.length > 500) continue;
    for (const key of Object.keys(holder)) {
      const value = at({ holder, key });
      if (!isHolder(value)) continue;
      waiting.push(value);
      if (Array.isArray(value)) {
        if (key === 'actions' || key === 'then' || key === 'else') lists.push(value);
        else if (key === 'triggers') triggers.push(value);
      } else {
        if (key === 'scripts') folders.push(value);
        if ('function' in value || 'type' in value) operations.push({ holder, key });
        if ('actions' in value && 'triggers' in value) scripts.push(key);
      }
    }
  }
  return { lists, operations, scripts, triggers, folders };
}

/** An operand value: of the expected kind, of another kind, or hostile. */
function operand(type: string, random: RandomStream, names: readonly string[], depth: number): Json {
  const roll = random.next();
  if (roll < 0.15) return hostileValue(random);
  if (roll < 0.35 && names.length > 0) return random.pick(names)!;
  if (type === 'actions') return depth > 2 ? [] : [operation(actions, 'type', random, names, depth + 1)];
  if (depth > 3) return random.integer(-3, 30);
  const returning = functions.filter((each) => each.returns === type);
  const known = returning.length > 0 && roll < 0.85 ? returning : functions;
  if (type === 'number' && roll < 0.6) return random.integer(-5, 200);
  return operation(known, 'function', random, names, depth + 1);
}

function operation(
  among: readonly CatalogueOperation[],
  word: 'type' | 'function',
  random: RandomStream,
  names: readonly string[],
  depth: number,
): Json {
  const { type, params } = random.pick(among)!;
  const made: { [key: string]: Json } = { [word]: type };
  for (const param of params) {
    if (param.optional && random.chance(0.5)) continue;
    made[param.key] = operand(param.type, random, names, depth);
  }
  return made;
}

/** Keys of types, variables, scripts and the like, which name something in this document. */
function namesIn(document: Json): string[] {
  const names: string[] = [];
  const visit = (value: Json | undefined, depth: number): void => {
    if (!isHolder(value) || Array.isArray(value) || depth > 4) return;
    for (const key of Object.keys(value)) {
      if (depth > 2 && names.length < 4000) names.push(key);
      visit(at({ holder: value, key }), depth + 1);
    }
  };
  visit(document, 0);
  return names;
}

function hostileValue(random: RandomStream): Json {
  switch (random.integer(0, 6)) {
    case 0:
      return random.pick(hostileNumbers)!;
    case 1:
      return random.pick(hostileTexts)!;
    case 2:
      return null;
    case 3:
      return random.chance(0.5);
    case 4:
      return random.chance(0.5) ? [] : [null];
    case 5:
      return random.chance(0.5) ? {} : hostileObject(random);
    default:
      return String(random.pick(hostileNumbers)!);
  }
}

function hostileObject(random: RandomStream): Json {
  const made = {};
  put(made, random.pick(hostileKeys)!, random.chance(0.5) ? { polluted: true } : 1);
  return made;
}

const copy = (value: Json): Json => structuredClone(value);

function replaceAt(
  wanted: (value: Json) => boolean,
  by: (value: Json, random: RandomStream, document: Json) => Json,
): Change {
  return (document, random) => {
    const place = somewhere(document, random, wanted);
    if (place === undefined) return false;
    put(place.holder, place.key, by(at(place), random, document));
    return true;
  };
}

function addScript(document: Json, random: RandomStream): boolean {
  const { folders } = scriptParts(document);
  const folder = random.pick(folders);
  if (folder === undefined) return false;
  const names = namesIn(document);
  const made = Array.from({ length: random.integer(1, 12) }, () => operation(actions, 'type', random, names, 0));
  const triggers = [
    { type: random.pick(['gameStart', 'frameTick', 'secondTick', 'entityCreated', random.pick(triggerTypes)!])! },
  ];
  folder[`added${random.integer(0, 99)}`] = { name: 'added', triggers, conditions: [], actions: made };
  return true;
}

const changes: readonly (readonly [name: string, change: Change])[] = [
  [
    'delete',
    (document, random) => {
      const place = somewhere(document, random);
      if (place === undefined) return false;
      if (Array.isArray(place.holder)) place.holder.splice(Number(place.key), 1);
      else delete place.holder[place.key];
      return true;
    },
  ],
  [
    'duplicate',
    (document, random) => {
      const place = somewhere(document, random);
      if (place === undefined) return false;
      if (Array.isArray(place.holder)) place.holder.splice(Number(place.key), 0, copy(at(place)));
      else put(place.holder, `${place.key}${random.integer(0, 9)}`, copy(at(place)));
      return true;
    },
  ],
  [
    'retype',
    replaceAt(
      () => true,
      (_, random) => hostileValue(random),
    ),
  ],
  [
    'number',
    replaceAt(
      (value) => typeof value === 'number' || (typeof value === 'string' && /^-?[\d.]+$/.test(value)),
      (_, random) => random.pick(hostileNumbers)!,
    ),
  ],
  [
    'text',
    replaceAt(
      (value) => typeof value === 'string',
      (_, random) => random.pick(hostileTexts)!,
    ),
  ],
  [
    'swap',
    (document, random) => {
      const one = somewhere(document, random);
      const other = somewhere(document, random);
      if (one === undefined || other === undefined) return false;
      // Copies, because one place may contain the other.
      const first = copy(at(one));
      const second = copy(at(other));
      put(one.holder, one.key, second);
      put(other.holder, other.key, first);
      return true;
    },
  ],
  [
    'nest',
    replaceAt(
      () => true,
      (value, random) => {
        const depth = random.chance(0.8) ? random.integer(1, 3) : random.integer(100, depthMax);
        const key = random.chance(0.5)
          ? undefined
          : random.pick(['value', 'function', 'a', 'items', 'conditions', ...hostileKeys])!;
        let nested = copy(value);
        for (let i = 0; i < depth; i++) {
          if (key === undefined) nested = [nested];
          else {
            const around = {};
            put(around, key, nested);
            nested = around;
          }
        }
        return nested;
      },
    ),
  ],
  [
    'key',
    (document, random) => {
      const place = somewhere(document, random);
      if (place === undefined || Array.isArray(place.holder)) return false;
      const value = at(place);
      if (random.chance(0.5)) delete place.holder[place.key];
      put(place.holder, random.pick(hostileKeys)!, copy(value));
      return true;
    },
  ],
  [
    'long list',
    replaceAt(Array.isArray, (value, random) => {
      const list = value as Json[];
      const length = random.integer(10, listMax);
      return Array.from({ length }, (_, i) => (list.length === 0 ? hostileValue(random) : list[i % list.length]!));
    }),
  ],
  [
    'graft',
    (document, random) => {
      const from = somewhere(document, random, isHolder);
      const to = somewhere(document, random);
      if (from === undefined || to === undefined) return false;
      put(to.holder, to.key, copy(at(from)));
      return true;
    },
  ],
  [
    'action',
    (document, random) => {
      const { lists } = scriptParts(document);
      const list = random.pick(lists);
      if (list === undefined) return false;
      const names = namesIn(document);
      const added = random.integer(1, 6);
      for (let i = 0; i < added; i++) {
        list.splice(random.integer(0, list.length), 0, operation(actions, 'type', random, names, 0));
      }
      return true;
    },
  ],
  [
    'function',
    (document, random) => {
      const place = random.pick(scriptParts(document).operations);
      if (place === undefined) return false;
      const value = at(place) as { [key: string]: Json };
      const word = 'function' in value ? 'function' : 'type';
      const names = namesIn(document);
      if (random.chance(0.5)) value[word] = random.pick(word === 'type' ? actions : functions)!.type;
      else put(place.holder, place.key, operation(word === 'type' ? actions : functions, word, random, names, 0));
      return true;
    },
  ],
  [
    'cycle',
    (document, random) => {
      const { lists, scripts } = scriptParts(document);
      if (scripts.length === 0 || lists.length === 0) return false;
      for (let i = random.integer(1, 5); i > 0; i--) {
        random.pick(lists)!.push({ type: 'runScript', scriptName: random.pick(scripts)! });
      }
      return true;
    },
  ],
  // Adds a script that certainly runs, because most parts of a game do not within two seconds.
  ['script', addScript],
  ['script', addScript],
  ['script', addScript],
  [
    'trigger',
    (document, random) => {
      const triggers = random.pick(scriptParts(document).triggers);
      if (triggers === undefined) return false;
      triggers.push({ type: random.pick(triggerTypes)! });
      return true;
    },
  ],
];

/** The random stream that determines a mutant. */
export function streamOf(seed: string, game: string, number: number): RandomStream {
  return new RandomStream(`fuzz/${seed}/${game}/${number}`);
}
