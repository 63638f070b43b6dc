import { cached } from '../core/cached.ts';
import { hashText, StateHasher } from '../core/hash.ts';
import type { Dictionary } from '../core/plain-object.ts';
import { formatValue, UsageError } from '../core/usage-error.ts';
import type { Definition } from '../definition/definition.ts';
import { FrozenMap } from '../definition/frozen-map.ts';
import { type Node, readOperand, type ScriptNode } from '../script/ast.ts';
import { scriptsOf } from '../script/language/scripts.ts';
import { vocabulary } from '../script/language/vocabulary.ts';

// Tags that are hashed before a container, followed by its number of members.
const LIST = 1;
const MAP = 2;
const DATA = 3;
const NODE = 4;
const RING = 6;

/**
 * Strings from this length on are replaced by their digests, which are cached: strings that occur often are hashed only
 * once.
 */
const longText = 64;

const hashes = new WeakMap<Definition, string>();

/**
 * Identifies a game: equal for documents with the same meaning, regardless of envelope, whitespace or spelling
 * variants. Only content counts. It makes no difference which parts share an object or are frozen, or where they are in
 * the document. The order of members counts, because scripts can iterate objects, except for the members of actions,
 * conditions and functions.
 */
export function definitionHash(definition: Definition): string {
  if (!(definition?.scripts instanceof FrozenMap)) {
    throw new UsageError(
      'bad-value',
      `Expected a definition, which is the member \`definition\` of a loaded game, not ${formatValue(definition)}.`,
    );
  }
  return cached(hashes, definition, () =>
    contentHash(definition, new Map(scriptsOf(definition).scripts.map((script) => [script.source, script]))),
  );
}

interface Task {
  readonly value: unknown;
  /** The syntax node of the value; undefined for a value outside of scripts. */
  readonly node: Node | undefined;
}

/** Hashes without recursion, because documents may be deep. `scripts` maps the JSON of each script to its tree. */
function contentHash(root: object, scripts: ReadonlyMap<unknown, ScriptNode>) {
  const hasher = new StateHasher();
  const digests = new Map<string, string>();
  /**
   * The objects that contain the current value, to detect cycles. An `end` task on the stack removes each object from
   * the set.
   */
  const open = new Set<object>();
  const tasks: (Task | { readonly end: object })[] = [{ value: root, node: undefined }];
  for (let task = tasks.pop(); task !== undefined; task = tasks.pop()) {
    if ('end' in task) {
      open.delete(task.end);
      continue;
    }
    const { value } = task;
    if (typeof value === 'string' && value.length >= longText) {
      hasher.int(value.length);
      hasher.string(cached(digests, value, hashText));
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

/** Hashes the tag and size of an object and pushes its members as the next tasks. */
function pushMembers(object: object, node: Node | undefined, hasher: StateHasher, tasks: object[]) {
  if (Array.isArray(object)) {
    hasher.int(LIST);
    hasher.int(object.length);
    const nodes = node?.children() ?? none;
    // As in JSON, an undefined element counts as null.
    for (let i = object.length - 1; i >= 0; i--) tasks.push({ value: object[i] ?? null, node: nodes[i] });
    return;
  }
  if (object instanceof Map) {
    hasher.int(MAP);
    hasher.int(object.size);
    for (const [key, value] of [...object].reverse()) tasks.push(plain(value), plain(key));
    return;
  }
  const members = object as Dictionary;
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

/**
 * The syntax node of a member of `node` whose value is an object. Lists of actions must be looked up in the tree; for
 * other members, parsing the operand again is cheaper than keeping its node.
 */
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

/** Whether a member is the JSON pointer to the position in the document, which is not hashed. */
function isPointer(key: string, value: unknown) {
  return key === 'pointer' && typeof value === 'string' && (value === '' || value.startsWith('/'));
}
