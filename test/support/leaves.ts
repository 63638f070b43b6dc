/** A primitive value in an object graph, or undefined. */
export interface Leaf {
  readonly path: string;
  readonly value: unknown;
  /** Replaces the value by another of the same type; returns a function that undoes this. */
  change(): () => void;
}

type Skips = (key: string, owner: object) => boolean;

interface Member {
  readonly key: string;
  readonly value: unknown;
  put(value: unknown): void;
}

/**
 * Yields every primitive value in a live object graph once: own members, array elements, and keys and values of Maps.
 * Skips functions, symbols and frozen objects. Paths are made of member names, but begin anew with the class name at
 * each instance of a class, because following planck's linked lists would make them endless.
 */
export function* leaves(root: object, name: string, skips: Skips = () => false): Generator<Leaf> {
  const seen = new Set<object>();
  const waiting: [string, object][] = [[name, root]];
  for (let at = 0; at < waiting.length; at++) {
    const [path, object] = waiting[at]!;
    if (seen.has(object) || Object.isFrozen(object)) continue;
    seen.add(object);
    for (const { key, value, put } of members(object, skips)) {
      const where = `${path}/${key}`;
      if (typeof value === 'function' || typeof value === 'symbol') continue;
      if (value !== null && typeof value === 'object') waiting.push([nameOf(value, where), value]);
      else yield { path: where, value, change: () => changed(value, put) };
    }
  }
}

/**
 * Where two live object graphs differ: in a leaf, in the members or their order, or in which members are the same
 * object.
 */
export function unequalPaths(left: object, right: object, name: string, skips: Skips = () => false): Set<string> {
  const unequal = new Set<string>();
  const partners = new Map<object, object>();
  const waiting: [string, unknown, unknown][] = [[name, left, right]];
  for (let at = 0; at < waiting.length; at++) {
    const [path, a, b] = waiting[at]!;
    if (a === b) continue;
    if (!isObject(a) || !isObject(b)) {
      if (!Object.is(a, b) && !(typeof a === 'function' && typeof b === 'function')) unequal.add(path);
      continue;
    }
    const partner = partners.get(a);
    if (partner !== undefined) {
      if (partner !== b) unequal.add(path);
      continue;
    }
    partners.set(a, b);
    const here = nameOf(a, path);
    const [ofA, ofB] = [members(a, skips), members(b, skips)];
    for (let i = 0; i < Math.max(ofA.length, ofB.length); i++) {
      const [one, other] = [ofA[i], ofB[i]];
      const where = `${here}/${(one ?? other)!.key}`;
      if (one === undefined || other === undefined || one.key !== other.key) unequal.add(where);
      else waiting.push([where, one.value, other.value]);
    }
  }
  return unequal;
}

function isObject(value: unknown): value is object {
  return value !== null && typeof value === 'object';
}

function members(object: object, skips: Skips): Member[] {
  const found: Member[] = [];
  if (object instanceof Map) {
    const entries = [...object];
    for (const [key, value] of entries) {
      // A Map is ordered, so all of it is rewritten.
      found.push({ key: '{key}', value: key, put: (other) => refill(object, entries, key, other) });
      found.push({ key: '{}', value, put: (other) => object.set(key, other) });
    }
  }
  const record = object as Record<string, unknown>;
  for (const key of Object.keys(object)) {
    if (skips(key, object)) continue;
    const put = (value: unknown): void => {
      record[key] = value;
    };
    found.push({ key, value: record[key], put });
  }
  return found;
}

function changed(value: unknown, put: (value: unknown) => void): () => void {
  put(otherThan(value));
  return () => put(value);
}

type Entries = readonly (readonly [unknown, unknown])[];

function refill(map: Map<unknown, unknown>, entries: Entries, key: unknown, other: unknown): void {
  map.clear();
  for (const [each, value] of entries) map.set(each === key ? other : each, value);
}

/** Small parts are given with their owner. A bundler may have numbered the name of a class. */
function nameOf(object: object, path: string): string {
  if (Array.isArray(object) || object instanceof Map || ArrayBuffer.isView(object)) return path;
  const prototype: { constructor: { name: string } } | null = Object.getPrototypeOf(object);
  if (prototype === null || prototype === Object.prototype) return path;
  const name = prototype.constructor.name.replace(/\d+$/, '');
  return parts.has(name) ? path : name;
}
const parts = new Set(['Vec', 'Rot', 'Transform', 'Sweep', 'AABB', 'Mat', 'ContactID']);

function otherThan(value: unknown): unknown {
  if (typeof value === 'number') return value === 0 ? 1 : Number.isFinite(value) ? value + 1 : 0;
  if (typeof value === 'string') return `${value}!`;
  if (typeof value === 'boolean') return !value;
  return 4711;
}
