interface Cache<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): unknown;
}

/**
 * Returns the cached value for a key. If there is none, calls `make` and caches its result, which must not be
 * undefined.
 */
export function cached<K, V>(cache: Cache<K, V>, key: K, make: (key: K) => V): V {
  const found = cache.get(key);
  if (found !== undefined) return found;
  const made = make(key);
  cache.set(key, made);
  return made;
}

/** Returns a function that calls `make` once, when it is first called, and then returns the same value. */
export function lazy<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
