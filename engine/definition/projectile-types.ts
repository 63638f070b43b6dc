import { cached } from '../core/cached.ts';
import type { Definition } from './definition.ts';
import { FrozenMap } from './frozen-map.ts';
import { defaultProjectileKey } from './item.ts';
import type { ProjectileType } from './projectile.ts';

const known = new WeakMap<Definition, ReadonlyMap<string, ProjectileType>>();

/**
 * All projectile types of a game: those of `projectileTypes`, then those nested in item types. Their order determines
 * their indices in type tables and programs.
 */
export function projectileTypesOf(definition: Definition): ReadonlyMap<string, ProjectileType> {
  return cached(known, definition, ({ projectileTypes, itemTypes }) => {
    const nested = [...itemTypes].flatMap(([key, { defaultProjectile: type }]): [string, ProjectileType][] => {
      const own = defaultProjectileKey(key);
      return type === undefined || projectileTypes.has(own) ? [] : [[own, type]];
    });
    return nested.length === 0 ? projectileTypes : new FrozenMap([...projectileTypes, ...nested]);
  });
}

/** All types of a game, by the kind of entities that have them. */
export function typesByKind(definition: Definition) {
  const { unitTypes: unit, itemTypes: item, playerTypes: player } = definition;
  return { unit, item, projectile: projectileTypesOf(definition), player };
}
