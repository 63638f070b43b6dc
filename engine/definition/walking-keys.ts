/**
 * The keys that make a unit walk (reference: units#keys). They are not part of a definition. This folder nevertheless
 * contains them, because pages and checks need them without importing the rules that steer units by them.
 */

export const leftKeys: readonly string[] = ['a', 'left'];
export const rightKeys: readonly string[] = ['d', 'right'];
export const upKeys: readonly string[] = ['w', 'up'];
export const downKeys: readonly string[] = ['s', 'down'];

/** All keys that make a unit walk under at least one movement scheme. */
export const walkingKeys: ReadonlySet<string> = new Set([...leftKeys, ...rightKeys, ...upKeys, ...downKeys]);

export function walksVertically(scheme: string | undefined): boolean {
  return scheme === 'wasd' || scheme === 'wasdRelativeToUnit';
}

export function walksSideways(scheme: string | undefined): boolean {
  return scheme === 'ad' || walksVertically(scheme);
}

/** Whether, under a movement scheme, a key makes the unit walk. */
export function isWalkingKey(scheme: string | undefined, key: string): boolean {
  if (leftKeys.includes(key) || rightKeys.includes(key)) return walksSideways(scheme);
  return walksVertically(scheme) && walkingKeys.has(key);
}
