import { tag } from '../ecs/component.ts';
import { Debris } from './debris.ts';
import { Player } from './player.ts';
import { Projectile } from './projectile.ts';
import { Region } from './region.ts';

/**
 * Tags for the kind of an entity. An entity has exactly one of these tags for its whole life, and `Identity.kind`
 * stores the same kind as a number. Kinds whose entities have a component of their own, such as `Projectile`, use that
 * component as their tag.
 */
export const kindTags = {
  unit: tag('unit'),
  item: tag('item'),
  projectile: Projectile,
  player: Player,
  region: Region,
  sensor: tag('sensor'),
  wall: tag('wall'),
  debris: Debris,
} as const;
