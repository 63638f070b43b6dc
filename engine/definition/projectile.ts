import { collidesWith } from './body.ts';
import { entityFields } from './entity.ts';
import { lifeSpan } from './life-span.ts';
import { boolean, defaulted, entry, type Infer, ignoredFields, map, number, object, rawObject } from './schema.ts';

const destroyOnContactWith = object({
  units: ['Whether it collides with units.', defaulted(boolean, false)],
  items: ['Whether it collides with items.', defaulted(boolean, false)],
  projectiles: ['Whether it collides with projectiles.', defaulted(boolean, false)],
  walls: ['Whether it collides with walls.', defaulted(boolean, false)],
  debris: ['Whether it collides with debris.', defaulted(boolean, false)],
});
/**
 * A projectile type (specification, Projectile type; reference: items-projectiles#projectiles). Timers in milliseconds.
 */
export const projectileType = entry('ProjectileType', 'A kind of projectile.', {
  ...entityFields,
  /** If `undefined`, the flags of the body decide (specification, Body). */
  destroyOnContactWith: ['The kinds of entity that destroy it on contact.', destroyOnContactWith],
  destroyTimer: ['The time until it is destroyed, in milliseconds.', number],
  lifeSpan: ['The lifetime, in milliseconds; without a value it lasts forever.', lifeSpan],
  explosiveTimer: ['The time until it explodes, in milliseconds.', number],
  controls: ['How the keyboard and mouse control it.', rawObject],
  collidesWith: ['The kinds of entity it collides with.', collidesWith],
  canBeUpdatedByMap: ['Whether a map of the world may change it.', boolean],
  ...ignoredFields({
    description: 'A description for readers.',
    height: 'The height.',
    isFlying: 'Whether it flies.',
    projectileTypes: 'Types of projectiles, by id.',
    width: 'The width.',
  }),
});
export type ProjectileType = Infer<typeof projectileType>;
export const projectileTypes = map(projectileType);
