import type { UnitHandle } from '../../engine/index.ts';

/**
 * The label of a unit on pages and in pictures: the name of a human player's unit. For other units it is empty; pages
 * show their id instead.
 */
export function personName({ owner, name }: UnitHandle): string {
  return owner?.exists === true && owner.controlledBy === 'human' ? name : '';
}
