import type { UnitHandle } from '../../engine/index.ts';

/** The name that pages and pictures write at a unit: the name of a player's unit; empty for other units, which go by their id. */
export function personName({ owner, name }: UnitHandle): string {
  return owner?.exists === true && owner.controlledBy === 'human' ? name : '';
}
