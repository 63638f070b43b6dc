import { type KeyBinding, type UnitType, walkingKeys } from '../../engine/tools.ts';

/** Whether players steer units of a type. */
export function isSteered({ controls }: UnitType): boolean {
  return controls !== undefined && (controls.movementControlScheme !== undefined || controls.abilities.size > 0);
}

/** All key bindings of a type. */
export function bindingsOf({ controls, legacyAbilities }: UnitType): readonly KeyBinding[] {
  return [...(controls?.abilities.values() ?? []), ...legacyAbilities.values()];
}

/** Whether a unit type binds its movement keys itself, so that scripts move the unit. */
export function isMovedByScripts({ controls }: UnitType): boolean {
  return [...(controls?.abilities ?? [])].some(
    ([key, { keyDown, keyUp }]) => walkingKeys.has(key) && (keyDown ?? keyUp) !== undefined,
  );
}
