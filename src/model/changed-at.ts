/**
 * A copy of nested objects, lists and maps with one value changed; the rest is shared. The keys are the path from the
 * root to the value.
 */
export function changedAt<T>(
  root: T,
  [key, ...rest]: readonly (string | number)[],
  change: (value: unknown) => unknown,
): T {
  if (key === undefined) return change(root) as T;
  if (root instanceof Map) return new Map(root).set(key, changedAt(root.get(key), rest, change)) as T;
  const copy = (Array.isArray(root) ? [...root] : { ...root }) as Record<string | number, unknown>;
  copy[key] = changedAt(copy[key], rest, change);
  return copy as T;
}

/** The value at a path of keys in nested objects, lists and maps; undefined if there is none. */
export function valueAt(root: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce(
    (at, key) => (at instanceof Map ? at.get(key) : (at as Record<string, unknown> | undefined)?.[key]),
    root,
  );
}
