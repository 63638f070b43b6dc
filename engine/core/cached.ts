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
