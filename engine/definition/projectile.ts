import { collidesWith } from './body.ts';
import { entityFields } from './entity.ts';
import { lifeSpan } from './life-span.ts';
import { boolean, defaulted, entry, type Infer, ignoredFields, map, number, object, rawObject } from './schema.ts';

const destroyOnContactWith = object({
  units: defaulted(boolean, false),
  items: defaulted(boolean, false),
  projectiles: defaulted(boolean, false),
  walls: defaulted(boolean, false),
  debris: defaulted(boolean, false),
});
/** Specification, Projectile type; reference: items-projectiles#projectiles. Timers in milliseconds. */
export const projectileType = entry('ProjectileType', 'A kind of projectile.', {
  ...entityFields,
  /** If `undefined`, the flags of the body decide (specification, Body). */
  destroyOnContactWith,
  destroyTimer: number,
  lifeSpan,
  explosiveTimer: number,
  controls: rawObject,
  collidesWith,
  canBeUpdatedByMap: boolean,
  ...ignoredFields('description', 'height', 'isFlying', 'projectileTypes', 'width'),
});
export type ProjectileType = Infer<typeof projectileType>;
export const projectileTypes = map(projectileType);
