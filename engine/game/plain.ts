import { EntityRef } from '../world/entity.ts';

/** Objects inside one another; scripts can put an object into itself. What lies deeper is left out. */
const depthMax = 50;

/** A copy for the outside that shares nothing with the game: entities become their ids, what JSON lacks becomes null. */
export function plainCopy(value: unknown, depth = 0): unknown {
  if (value instanceof EntityRef) return value.id;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (value === null || typeof value !== 'object') return value === undefined ? null : value;
  if (depth >= depthMax) return null;
  if (Array.isArray(value)) return value.map((member) => plainCopy(member, depth + 1));
  // Unlike assignment, this makes a member of any name a member.
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plainCopy(member, depth + 1)]));
}
