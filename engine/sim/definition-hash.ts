import { hashText, StateHasher } from '../core/hash.ts';
import type { Definition } from '../definition/definition.ts';

// What a definition is made of; what follows is as many values as are told here.
const LIST = 1;
const MAP = 2;
const DATA = 3;
const NODE = 4;
const NUMBERS = 5;
const RING = 6;

/** Texts beyond this length are hashed on their own, so that those who are met often cost once. */
const longText = 64;

const hashes = new WeakMap<Definition, string>();

/**
 * Says which game it is: the same for documents that mean the same, whatever their envelope, spacing or spelling, and whenever it is asked.
 * Only content counts: not which parts are one object or frozen, not where something stood in its document, and of the actions, conditions
 * and functions of scripts not the order of their members. Of all other objects it does, because scripts can walk them.
 */
export function definitionHash(definition: Definition): string {
  let hash = hashes.get(definition);
  if (hash === undefined) {
    hash = contentHash(definition);
    hashes.set(definition, hash);
  }
  return hash;
}

interface Task {
  readonly value: unknown;
  /** Inside the conditions or actions of a script. */
  readonly isScript: boolean;
}

/** Goes through without recursion: documents may be deep. */
function contentHash(root: object): string {
  const hasher = new StateHasher();
  const digests = new Map<string, string>();
  /** Objects around the value in hand, each followed by its own end. */
  const open = new Set<object>();
  const tasks: (Task | { readonly end: object })[] = [{ value: root, isScript: false }];
  for (let task = tasks.pop(); task !== undefined; task = tasks.pop()) {
    if ('end' in task) {
      open.delete(task.end);
      continue;
    }
    const { value, isScript } = task;
    if (typeof value === 'string' && value.length >= longText) {
      let digest = digests.get(value);
      if (digest === undefined) {
        digest = hashText(value);
        digests.set(value, digest);
      }
      hasher.int(value.length);
      hasher.string(digest);
    } else if (value === null || typeof value !== 'object')
      hasher.value(typeof value === 'function' ? undefined : value);
    else if (open.has(value)) hasher.int(RING);
    else if (value instanceof Float64Array) hasher.floats(value);
    else if (value instanceof Uint8Array || value instanceof Int32Array || value instanceof Uint32Array) {
      hasher.int(NUMBERS);
      hasher.ints(value);
    } else {
      open.add(value);
      tasks.push({ end: value });
      pushMembers(value, isScript, hasher, tasks);
    }
  }
  return hasher.digest();
}

/** Tells what the object is and how many values follow, which then are the next ones. */
function pushMembers(object: object, isScript: boolean, hasher: StateHasher, tasks: object[]): void {
  if (Array.isArray(object)) {
    hasher.int(LIST);
    hasher.int(object.length);
    // What JSON cannot say in a list it says as null.
    for (let i = object.length - 1; i >= 0; i--) tasks.push({ value: object[i] ?? null, isScript });
    return;
  }
  if (object instanceof Map) {
    hasher.int(MAP);
    hasher.int(object.size);
    for (const [key, value] of [...object].reverse()) tasks.push({ value, isScript }, { value: key, isScript });
    return;
  }
  const members = object as Readonly<Record<string, unknown>>;
  const keys = Object.keys(members).filter((key) => members[key] !== undefined && !isPointer(key, members[key]));
  const isNode = isScript && (typeof members['type'] === 'string' || typeof members['function'] === 'string');
  if (isNode) keys.sort();
  hasher.int(isNode ? NODE : DATA);
  hasher.int(keys.length);
  for (const key of keys.reverse()) {
    const value = members[key];
    tasks.push({ value, isScript: isScript || key === 'actions' || key === 'conditions' }, { value: key, isScript });
  }
}

/** Where something stood in its document. */
function isPointer(key: string, value: unknown): boolean {
  return key === 'pointer' && typeof value === 'string' && (value === '' || value.startsWith('/'));
}
