import type { CollidesWith } from '../definition/body.ts';

/**
 * Two bodies collide if the mask of each has the bit of the other and at least one of them is dynamic (reference:
 * physics#collision-masks).
 */
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
/** Debris collides with everything except sensors (reference: physics#props). */
export const debrisMask = wall | unit | debris | item | projectile | region;
export const wallMask = unit | debris | item | projectile | region;
export const regionMask = wall | unit | debris | item | projectile | region;
export const sensorMask = unit | item | projectile;

/**
 * The mask of a unit, item, projectile or debris: the kinds that its body names, always regions, and sensors unless
 * excluded. The reference of 2024 ignores `debris`, which the specification has.
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
