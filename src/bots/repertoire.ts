import type { Definition } from '../../engine/index.ts';
import { walkingKeys } from '../../engine/tools.ts';

/** The actions that a player can take with units of a type. */
export interface Repertoire {
  readonly movement: 'both' | 'horizontal' | 'mouse' | 'none';
  /** The keys and mouse buttons that do something, in document order. */
  readonly keys: readonly string[];
  /** The number of slots that the keys 1 to 9 select. */
  readonly slots: number;
  /** The total number of slots, including the backpack. */
  readonly carried: number;
}

type UnitType = Definition['unitTypes'] extends ReadonlyMap<string, infer T> ? T : never;

const movements: Readonly<Record<string, Repertoire['movement']>> = {
  wasd: 'both',
  wasdRelativeToUnit: 'both',
  ad: 'horizontal',
  followCursor: 'mouse',
};

function repertoireOf({ controls, legacyAbilities, inventorySize, backpackSize }: UnitType): Repertoire {
  const movement = movements[controls?.movementControlScheme ?? ''] ?? 'none';
  const keys: string[] = [];
  for (const [key, { keyDown, keyUp }] of [...(controls?.abilities ?? []), ...legacyAbilities]) {
    // Older key maps contain the walking keys, too, which are not actions.
    if (keys.includes(key) || (movement !== 'none' && walkingKeys.has(key))) continue;
    // On-screen wheels exist only on touch screens, and send the same keys and mouse inputs.
    if ((keyDown !== undefined || keyUp !== undefined) && !key.endsWith('Wheel')) keys.push(key);
  }
  return {
    movement,
    keys,
    slots: Math.max(0, Math.min(9, inventorySize)),
    carried: Math.max(0, inventorySize) + Math.max(0, backpackSize),
  };
}

/** The repertoire of every unit type, by type index, as declared in the document regardless of the dialect. */
export function repertoires(definition: Definition): readonly Repertoire[] {
  return Array.from(definition.unitTypes.values(), repertoireOf);
}

export function repertoiresByType({ unitTypes }: Definition): ReadonlyMap<string, Repertoire> {
  return new Map(Array.from(unitTypes, ([key, type]) => [key, repertoireOf(type)]));
}
