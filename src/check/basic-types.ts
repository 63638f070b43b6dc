import type { BasicType } from '../model/index.ts';

/** How messages name the basic types of values. */
export const basicTypeNames: Readonly<Record<BasicType, string>> = {
  number: 'a number',
  text: 'a string',
  boolean: 'a boolean',
  position: 'a position',
  region: 'a region',
  unit: 'a unit',
  item: 'an item',
  projectile: 'a projectile',
  player: 'a player',
  list: 'a group',
  object: 'an object',
};

/** Types that arithmetic and `<` convert to numbers. A string is converted if it is a numeral. */
export const computable: ReadonlySet<BasicType> = new Set<BasicType>(['number', 'text', 'boolean']);

export function isEntity(type: BasicType): boolean {
  return type === 'unit' || type === 'item' || type === 'projectile' || type === 'player';
}
