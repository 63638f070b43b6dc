import { collidesWith } from './body.ts';
import { entityFields } from './entity.ts';
import { boolean, defaulted, entry, type Infer, loose, map, number, object, rawObject } from './schema.ts';

const destroyOnContactWith = object({
  units: defaulted(boolean, false),
  items: defaulted(boolean, false),
  projectiles: defaulted(boolean, false),
  walls: defaulted(boolean, false),
  debris: defaulted(boolean, false),
});
export type DestroyOnContactWith = Infer<typeof destroyOnContactWith>;
const nothing: DestroyOnContactWith = Object.freeze({
  units: false,
  items: false,
  projectiles: false,
  walls: false,
  debris: false,
});

/** Specification, Projectile type; reference: items-projectiles.md §9. Timers in milliseconds. */
export const projectileType = entry('ProjectileType', 'A kind of projectile.', {
  ...entityFields,
  destroyOnContactWith: defaulted(destroyOnContactWith, nothing),
  destroyTimer: number,
  lifeSpan: number,
  explosiveTimer: number,
  controls: rawObject,
  collidesWith,
  canBeUpdatedByMap: boolean,
  ...loose('description', 'height', 'isFlying', 'projectileTypes', 'width'),
});
export type ProjectileType = Infer<typeof projectileType>;
export const projectileTypes = map(projectileType);
