import { tag } from '../ecs/component.ts';
import { Debris } from './debris.ts';
import { Player } from './player.ts';
import { Projectile } from './projectile.ts';
import { Region } from './region.ts';

/**
 * The kind of an entity: one of them, from its beginning to its end. `Identity.kind` says the same as a number. Some have state of their
 * own.
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
