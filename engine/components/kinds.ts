import { tag } from '../ecs/component.ts';
import { Debris } from './debris.ts';
import { Player } from './player.ts';
import { Projectile } from './projectile.ts';
import { Region } from './region.ts';

/**
 * Tags for the kind of an entity. An entity has exactly one of them for its whole life. `Identity.kind` holds the same
 * kind as a number. Some kinds use a component with state instead of a plain tag.
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
