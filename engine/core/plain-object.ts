/** Whether a value has members: an object or a list. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Whether a value is an object with named members: neither null nor a list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value) && !Array.isArray(value);
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/**
 * The members that are not undefined, for types whose optional members must be absent rather than undefined. Allocates,
 * so code that runs every tick writes its conditions out.
 */
export function defined<T extends object>(members: T): Defined<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Defined<T>;
}
