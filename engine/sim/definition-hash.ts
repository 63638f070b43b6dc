import { hashText, StateHasher } from '../core/hash.ts';
import { shown, UsageError } from '../core/usage-error.ts';
import type { Definition } from '../definition/definition.ts';
import { FrozenMap } from '../definition/frozen-map.ts';
import { type Node, readOperand, type ScriptNode } from '../script/ast.ts';
import { scriptsOf } from '../script/language/scripts.ts';
import { vocabulary } from '../script/language/vocabulary.ts';

// Kinds of values in a definition. Each is followed by the number of values that belong to it.
const LIST = 1;
const MAP = 2;
const DATA = 3;
const NODE = 4;
const RING = 6;

/** Texts beyond this length are hashed on their own, so that those who are met often cost once. */
const longText = 64;

const hashes = new WeakMap<Definition, string>();

/**
 * Says which game it is: the same for documents that mean the same, whatever their envelope, spacing or spelling, and whenever it is asked.
 * Only content counts: not which parts are one object or frozen, and not the place in the document. The order of members counts, because scripts can
 * walk objects; that of actions, conditions and functions does not.
 */
export function definitionHash(definition: Definition): string {
  if (!(definition?.scripts instanceof FrozenMap)) {
    throw new UsageError(
      'bad-value',
      `A definition is the member \`definition\` of a loaded game, not ${shown(definition)}.`,
    );
  }
  let hash = hashes.get(definition);
  if (hash === undefined) {
    hash = contentHash(definition, new Map(scriptsOf(definition).scripts.map((script) => [script.source, script])));
    hashes.set(definition, hash);
  }
  return hash;
}

interface Task {
  readonly value: unknown;
  /** The value's node in the tree of its script; undefined for a value outside of scripts. */
  readonly node: Node | undefined;
}

/** Goes through without recursion: documents may be deep. `scripts` by what they were read from. */
function contentHash(root: object, scripts: ReadonlyMap<unknown, ScriptNode>): string {
  const hasher = new StateHasher();
  const digests = new Map<string, string>();
  /** Objects around the value in hand, each followed by its own end. */
  const open = new Set<object>();
  const tasks: (Task | { readonly end: object })[] = [{ value: root, node: undefined }];
  for (let task = tasks.pop(); task !== undefined; task = tasks.pop()) {
    if ('end' in task) {
      open.delete(task.end);
      continue;
    }
    const { value } = task;
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
    else {
      open.add(value);
      tasks.push({ end: value });
      pushMembers(value, task.node ?? scripts.get(value), hasher, tasks);
    }
  }
  return hasher.digest();
}

const none: readonly Node[] = [];

/** Hashes the kind of the object and the number of its values, which are then the next ones. */
function pushMembers(object: object, node: Node | undefined, hasher: StateHasher, tasks: object[]): void {
  if (Array.isArray(object)) {
    hasher.int(LIST);
    hasher.int(object.length);
    const nodes = node?.children() ?? none;
    // JSON writes null in a list for a value that it lacks.
    for (let i = object.length - 1; i >= 0; i--) tasks.push({ value: object[i] ?? null, node: nodes[i] });
    return;
  }
  if (object instanceof Map) {
    hasher.int(MAP);
    hasher.int(object.size);
    for (const [key, value] of [...object].reverse()) tasks.push(plain(value), plain(key));
    return;
  }
  const members = object as Readonly<Record<string, unknown>>;
  const keys = Object.keys(members).filter((key) => members[key] !== undefined && !isPointer(key, members[key]));
  const isOperation = node?.kind === 'action' || node?.kind === 'call';
  if (isOperation) keys.sort();
  hasher.int(isOperation ? NODE : DATA);
  hasher.int(keys.length);
  for (const key of keys.reverse()) {
    const value = members[key];
    const inside = node === undefined || typeof value !== 'object' ? undefined : memberOf(node, key, value);
    tasks.push({ value, node: inside }, plain(key));
  }
}

function plain(value: unknown): Task {
  return { value, node: undefined };
}

/** A member that is an object. Only lists of actions have to be known as what they are; for the rest, reading it again is cheaper than keeping it. */
function memberOf(node: Node, key: string, value: unknown): Node | undefined {
  switch (node.kind) {
    case 'script':
      return key === 'actions' || key === 'conditions' ? node[key] : undefined;
    case 'action':
      return Array.isArray(value) ? node.member(key) : readOperand(node, key, value, vocabulary);
    case 'call':
    case 'data':
      return readOperand(node, key, value, vocabulary);
    default:
      return undefined;
  }
}

/** Where something stood in its document. */
function isPointer(key: string, value: unknown): boolean {
  return key === 'pointer' && typeof value === 'string' && (value === '' || value.startsWith('/'));
}
