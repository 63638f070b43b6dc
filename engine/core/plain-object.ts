/** Values of one type, by name. */
export type Dictionary<T = unknown> = Readonly<Record<string, T>>;

/** Whether a value has members: an object or a list. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Whether a value is an object with named members: neither null nor a list. */
export function isRecord(value: unknown): value is Dictionary {
  return isObject(value) && !Array.isArray(value);
}

/** An object with the same keys, whose members are made from the given ones. */
export function mapMembers<T, R>(members: Dictionary<T>, make: (member: T, key: string) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(members).map(([key, member]) => [key, make(member, key)]));
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/**
 * The members that are not undefined, for types whose optional members must be absent rather than undefined. Allocates,
 * so code that runs every tick writes its conditions out.
 */
export function defined<T extends object>(members: T): Defined<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Defined<T>;
}

/**
 * Decides whether a member is compared. Receives the key of the member, the key under which the object that contains
 * the member is stored, and the key under which the object around that one is stored. Elements of lists have the key
 * ''.
 */
type Counts = (key: string, around: string, further: string) => boolean;

/**
 * Whether two JSON values are equal, with members in the same order. Stops at the first difference, while a comparison
 * of their JSON strings would first have to write out both.
 */
export function isSameJson(a: unknown, b: unknown, counts?: Counts, key = '', around = ''): boolean {
  if (a === b) return true;
  if (!isObject(a) || !isObject(b) || Array.isArray(a) !== Array.isArray(b)) return false;
  if (Array.isArray(a))
    return a.length === (b as []).length && a.every((each, i) => isSameJson(each, (b as [])[i], counts));
  const [keys, others] = [Object.keys(a), Object.keys(b)];
  if (keys.length !== others.length) return false;
  for (let i = 0; i < keys.length; i++) {
    const name = keys[i] as keyof typeof a;
    if (name !== others[i]) return false;
    if (counts?.(name, key, around) !== false && !isSameJson(a[name], b[name], counts, name, key)) return false;
  }
  return true;
}
