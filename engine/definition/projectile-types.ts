import type { Definition } from './definition.ts';
import { defaultProjectileKey } from './item.ts';
import type { ProjectileType } from './projectile.ts';

const known = new WeakMap<Definition, ReadonlyMap<string, ProjectileType>>();

/**
 * Every kind of projectile that a game has: those of its `projectileTypes`, then those that its item types carry within themselves. In this
 * order they have their index among the types of a world and among the scripts of a program.
 */
export function projectileTypesOf(definition: Definition): ReadonlyMap<string, ProjectileType> {
  let types = known.get(definition);
  if (types === undefined) {
    const all = new Map(definition.projectileTypes);
    for (const [key, { defaultProjectile }] of definition.itemTypes) {
      const own = defaultProjectileKey(key);
      if (defaultProjectile !== undefined && !all.has(own)) all.set(own, defaultProjectile);
    }
    types = all.size === definition.projectileTypes.size ? definition.projectileTypes : all;
    known.set(definition, types);
  }
  return types;
}
