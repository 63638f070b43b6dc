import { EntityRef } from '../../world/entity.ts';

/** Maximum nesting depth, because scripts can put an object into itself. Deeper members are left out. */
const depthMax = 50;
/**
 * Maximum number of members of a copy, because objects that refer to the same object repeatedly can expand
 * exponentially. The rest is left out.
 */
const membersMax = 1_000_000;

/**
 * Makes a copy for the outside that shares nothing with the game: entities become their ids, and values that JSON lacks
 * become null.
 */
export function plainCopy(value: unknown): unknown {
  return copy(value, 0, { members: 0 });
}

function copy(value: unknown, depth: number, used: { members: number }): unknown {
  if (value instanceof EntityRef) return value.id;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (value === null || typeof value !== 'object') return value === undefined ? null : value;
  if (depth >= depthMax) return null;
  const keys = Object.keys(value);
  used.members += keys.length;
  if (used.members > membersMax) return null;
  if (Array.isArray(value)) return value.map((member) => copy(member, depth + 1, used));
  // Assigning to a member named `__proto__` would set the prototype instead.
  return Object.fromEntries(keys.map((key) => [key, copy((value as Record<string, unknown>)[key], depth + 1, used)]));
}
