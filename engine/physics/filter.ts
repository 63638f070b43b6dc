import type { CollidesWith } from '../definition/body.ts';

/** Reference: physics#collision-masks. Two bodies meet if the mask of each has the bit of the other and one of them is dynamic. */
export const categoryBits = {
  wall: 0x01,
  unit: 0x02,
  debris: 0x04,
  item: 0x08,
  projectile: 0x10,
  region: 0x20,
  sensor: 0x40,
} as const;
export type BodyCategory = Exclude<keyof typeof categoryBits, 'wall'>;

const { wall, unit, debris, item, projectile, region, sensor } = categoryBits;
/** Debris meets everything (reference: physics#props). Where there are none, the bit means nothing. */
export const debrisMask = wall | unit | debris | item | projectile | region;
export const wallMask = unit | debris | item | projectile | region;
export const regionMask = wall | unit | debris | item | projectile | region;
export const sensorMask = unit | item | projectile;

/**
 * The filter of a unit, item, projectile or debris: the kinds that its body names, regions always, sensors unless refused. `debris` is a word of the
 * specification that the reference (2024) ignores; it makes no difference to a game without debris bodies.
 */
export function collisionMask(collidesWith: CollidesWith | undefined): number {
  let mask = region;
  if (collidesWith === undefined) return mask | sensor;
  if (collidesWith.walls) mask |= wall;
  if (collidesWith.units) mask |= unit;
  if (collidesWith.debris) mask |= debris;
  if (collidesWith.items) mask |= item;
  if (collidesWith.projectiles) mask |= projectile;
  if (collidesWith.sensors) mask |= sensor;
  return mask;
}
