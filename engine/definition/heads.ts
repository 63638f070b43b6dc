import { LazyMap } from './lazy-map.ts';

interface Keys {
  readonly size: number;
  has(key: string): boolean;
  keys(): Iterable<string>;
}

/** What must be known of a script before it is read. */
export interface ScriptHead {
  readonly key: string;
  /** Types of triggers, as listed. */
  readonly triggers: readonly string[];
}

/**
 * What must be known of a type before it is read: the names that scripts can refer to, and its scripts. A fully read
 * type is its own head.
 */
export interface TypeHead {
  readonly name: string;
  readonly attributes: Keys;
  readonly variables: Keys;
  readonly states: Keys;
  readonly particles: Keys;
  readonly animations: Keys;
  readonly scripts: ReadonlyMap<string, ScriptHead>;
}

export interface UnitTypeHead extends TypeHead {
  readonly controls: { readonly unitAbilities: Keys } | undefined;
}

export interface ItemTypeHead extends TypeHead {
  /** The projectile type nested in an item type. */
  readonly defaultProjectile: TypeHead | undefined;
}

/** The heads of the values of a map, by key. Does not read the values of a lazy map. */
export function headsOf<H>(map: ReadonlyMap<string, H>): ReadonlyMap<string, H> {
  return map instanceof LazyMap ? (map.heads as ReadonlyMap<string, H>) : map;
}
