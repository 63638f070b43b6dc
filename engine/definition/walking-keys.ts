/**
 * The keys that make a unit walk (reference: units#keys). They are not part of a definition, but belong to this folder
 * because pages and checks need them without the rules, which steer units by them.
 */

export const leftKeys: readonly string[] = ['a', 'left'];
export const rightKeys: readonly string[] = ['d', 'right'];
export const upKeys: readonly string[] = ['w', 'up'];
export const downKeys: readonly string[] = ['s', 'down'];

/** Keys that only make a unit walk. */
export const walkingKeys: ReadonlySet<string> = new Set([...leftKeys, ...rightKeys, ...upKeys, ...downKeys]);

export function walksVertically(scheme: string | undefined): boolean {
  return scheme === 'wasd' || scheme === 'wasdRelativeToUnit';
}

export function walksSideways(scheme: string | undefined): boolean {
  return scheme === 'ad' || walksVertically(scheme);
}

/** Whether a key walks with a movement scheme. */
export function isWalkingKey(scheme: string | undefined, key: string): boolean {
  if (leftKeys.includes(key) || rightKeys.includes(key)) return walksSideways(scheme);
  return walksVertically(scheme) && walkingKeys.has(key);
}
