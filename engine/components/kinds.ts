import { tag } from '../ecs/component.ts';

/** What an entity is. One of them, from its beginning to its end; `Identity.kind` says the same as a number. */
export const kindTags = {
  unit: tag('unit'),
  item: tag('item'),
  projectile: tag('projectile'),
  player: tag('player'),
  region: tag('region'),
  sensor: tag('sensor'),
  wall: tag('wall'),
  debris: tag('debris'),
} as const;
