import type { Definition } from '../../engine/index.ts';

/** The actions that a unit of a type offers to its player. */
export interface Repertoire {
  readonly movement: 'both' | 'horizontal' | 'mouse' | 'none';
  /** Keys and mouse buttons that do something, in document order. */
  readonly keys: readonly string[];
  /** Slots that the digits 1 to 9 select. */
  readonly slots: number;
  /** Slots there are, backpack included. */
  readonly carried: number;
}

type UnitType = Definition['unitTypes'] extends ReadonlyMap<string, infer T> ? T : never;

/** Bound by the older map as well, where they mean the same. */
const walkingKeys: ReadonlySet<string> = new Set(['w', 'a', 's', 'd', 'up', 'left', 'down', 'right']);

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
    if (keys.includes(key) || (movement !== 'none' && walkingKeys.has(key))) continue;
    // Wheels are drawn on touch screens; what they send are the keys and the mouse.
    if ((keyDown !== undefined || keyUp !== undefined) && !key.endsWith('Wheel')) keys.push(key);
  }
  return {
    movement,
    keys,
    slots: Math.max(0, Math.min(9, inventorySize)),
    carried: Math.max(0, inventorySize) + Math.max(0, backpackSize),
  };
}

/** Of every unit type, by type index: what the document says, whether or not a dialect plays it. */
export function repertoires(definition: Definition): readonly Repertoire[] {
  return Array.from(definition.unitTypes.values(), repertoireOf);
}
