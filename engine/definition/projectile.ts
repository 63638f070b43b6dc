import { collidesWith } from './body.ts';
import { entityFields } from './entity.ts';
import { lifeSpan } from './life-span.ts';
import { boolean, defaulted, entry, type Infer, ignoredFields, map, notNegative, object, rawObject } from './schema.ts';

const destroyOnContactWith = object({
  units: ['Whether contact with units destroys the projectile.', defaulted(boolean, false)],
  items: ['Whether contact with items destroys the projectile.', defaulted(boolean, false)],
  projectiles: ['Whether contact with projectiles destroys the projectile.', defaulted(boolean, false)],
  walls: ['Whether contact with walls destroys the projectile.', defaulted(boolean, false)],
  debris: ['Whether contact with debris destroys the projectile.', defaulted(boolean, false)],
});
/**
 * A projectile type (specification, Projectile type; reference: items-projectiles#projectiles). Timers in milliseconds.
 */
export const projectileType = entry('ProjectileType', 'A kind of projectile.', {
  ...entityFields,
  /** If `undefined`, the flags of the body decide (specification, Body). */
  destroyOnContactWith: ['The kinds of entities that destroy the projectile on contact.', destroyOnContactWith],
  destroyTimer: ['The time until the projectile is destroyed, in milliseconds.', notNegative],
  lifeSpan: ['The lifetime, in milliseconds; without a value, the projectile lasts forever.', lifeSpan],
  explosiveTimer: ['The time until the projectile explodes, in milliseconds.', notNegative],
  controls: ['How the keyboard and mouse control the projectile.', rawObject],
  collidesWith: ['The kinds of entities that the projectile collides with.', collidesWith],
  canBeUpdatedByMap: ['Whether a single map may change this type in a world of several maps.', boolean],
  ...ignoredFields({
    description: 'A description for readers.',
    height: 'The height.',
    isFlying: 'Whether the projectile flies.',
    projectileTypes: 'Types of projectiles, by id.',
    width: 'The width.',
  }),
});
export type ProjectileType = Infer<typeof projectileType>;
export const projectileTypes = map(projectileType);
