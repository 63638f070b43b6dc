interface Cache<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): unknown;
}

/** The value for a key in a cache; made when it is first needed. */
export function cached<K, V>(cache: Cache<K, V>, key: K, make: (key: K) => V): V {
  const found = cache.get(key);
  if (found !== undefined) return found;
  const made = make(key);
  cache.set(key, made);
  return made;
}
