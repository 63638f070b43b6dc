import type { UnitHandle } from '../../engine/index.ts';

/**
 * The label of a unit on pages and in pictures: the name of a player's unit; empty for other units, which are labelled
 * with their id.
 */
export function personName({ owner, name }: UnitHandle): string {
  return owner?.exists === true && owner.controlledBy === 'human' ? name : '';
}
