/** An immutable Map: definitions are shared between simulations and must not change. */
export class FrozenMap<K, V> extends Map<K, V> {
  constructor(entries: Iterable<readonly [K, V]> = []) {
    super();
    for (const [key, value] of entries) super.set(key, value);
    if (new.target === FrozenMap) Object.freeze(this);
  }

  override set(): this {
    throw new TypeError('A loaded definition cannot be changed.');
  }

  override delete(): boolean {
    throw new TypeError('A loaded definition cannot be changed.');
  }

  override clear(): void {
    throw new TypeError('A loaded definition cannot be changed.');
  }
}

/** The value of every collection that a document omits. */
export const emptyMap: ReadonlyMap<string, never> = new FrozenMap<string, never>();
