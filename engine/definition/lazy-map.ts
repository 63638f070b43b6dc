import { FrozenMap } from './frozen-map.ts';

/**
 * A map whose values are read on first access. The keys, their order and the head of each value (see `heads.ts`) are
 * available from the start.
 */
export class LazyMap<V, H = unknown> extends FrozenMap<string, V> {
  readonly heads: ReadonlyMap<string, H>;
  private readonly read: (key: string) => V;
  private readonly made = new Map<string, V>();

  constructor(heads: ReadonlyMap<string, H>, read: (key: string) => V) {
    super(Array.from(heads.keys(), (key) => [key, undefined as V] as const));
    this.heads = heads;
    this.read = read;
    Object.freeze(this);
  }

  /** A lazy map that applies `change` to each value on first access. */
  mapped(change: (value: V) => V): LazyMap<V, H> {
    return new LazyMap(this.heads, (key) => change(this.get(key)!));
  }

  override get(key: string): V | undefined {
    let value = this.made.get(key);
    if (value === undefined && this.has(key)) {
      value = this.read(key);
      this.made.set(key, value);
    }
    return value;
  }

  override *entries(): MapIterator<[string, V]> {
    for (const key of this.keys()) yield [key, this.get(key)!];
  }

  override *values(): MapIterator<V> {
    for (const key of this.keys()) yield this.get(key)!;
  }

  override [Symbol.iterator](): MapIterator<[string, V]> {
    return this.entries();
  }

  override forEach(visit: (value: V, key: string, map: Map<string, V>) => void, self?: unknown): void {
    for (const [key, value] of this.entries()) visit.call(self, value, key, this);
  }
}
