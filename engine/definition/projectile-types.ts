import type { Definition } from './definition.ts';
import { headsOf, type ItemTypeHead, type TypeHead } from './heads.ts';
import { defaultProjectileKey } from './item.ts';
import { LazyMap } from './lazy-map.ts';
import type { ProjectileType } from './projectile.ts';

const known = new WeakMap<Definition, ReadonlyMap<string, ProjectileType>>();

/**
 * All projectile types of a game: those of `projectileTypes`, then those nested in item types. Their order determines
 * their indices in type tables and programs.
 */
export function projectileTypesOf(definition: Definition): ReadonlyMap<string, ProjectileType> {
  let types = known.get(definition);
  if (types === undefined) {
    const { projectileTypes, itemTypes } = definition;
    const heads = new Map(headsOf<TypeHead>(projectileTypes));
    const owners = new Map<string, string>();
    for (const [key, { defaultProjectile }] of headsOf<ItemTypeHead>(itemTypes)) {
      const own = defaultProjectileKey(key);
      if (defaultProjectile === undefined || heads.has(own)) continue;
      heads.set(own, defaultProjectile);
      owners.set(own, key);
    }
    const read = (key: string): ProjectileType =>
      projectileTypes.get(key) ?? itemTypes.get(owners.get(key)!)!.defaultProjectile!;
    types = owners.size === 0 ? projectileTypes : new LazyMap(heads, read);
    known.set(definition, types);
  }
  return types;
}
