import { emptyMap } from '../../definition/frozen-map.ts';
import { type Entity, rowOf } from '../../world/entity.ts';
import { type RuntimeUnitType, unitTypeOf } from '../../world/types.ts';
import { attributeLayoutOf, changeAttributes } from '../entities/attribute.ts';
import { rebuildBody, setState } from '../entities/state.ts';
import { changeVariables } from '../entities/variable.ts';
import { emit, type IsOver } from '../events.ts';
import type { Game } from '../game.ts';
import { tradeSlots } from '../items/inventory.ts';
import { forgetUnknownType } from '../types/type-key.ts';

/**
 * Changes a unit's type. Scripts, attributes, variables, state and body become those of the new type. Its name, its
 * position and the items that it may still carry stay (reference: units#type-changes). Default items are not given
 * again. If scripts that run because of the change start another change of the unit's type, that change completes and
 * this one stops.
 */
export function changeUnitType(game: Game, unit: Entity, type: RuntimeUnitType): void {
  const { world, running } = game;
  const change = {};
  running.typeChanges.set(unit, change);
  const isLatest = () => running.typeChanges.get(unit) === change;
  try {
    takeOverType(game, unit, type, () => !world.exists(unit) || !isLatest());
  } finally {
    if (isLatest()) running.typeChanges.delete(unit);
  }
}

function takeOverType(game: Game, unit: Entity, type: RuntimeUnitType, isOver: IsOver) {
  const { world } = game;
  const row = rowOf(unit);
  const c = world.components;
  const oldLayout = attributeLayoutOf(world, unit);
  const oldState = unitTypeOf(world, unit).states[c.identity.state[row]!]?.key;
  const oldValues = world.attributes.value.slice(
    c.attributes.start[row]!,
    c.attributes.start[row]! + oldLayout.keys.length,
  );
  c.identity.type[row] = type.index;
  forgetUnknownType(world, unit);
  changeAttributes(world, unit, oldLayout, type.attributes, false);
  const clamped = world.attributes.value.slice(
    c.attributes.start[row]!,
    c.attributes.start[row]! + type.attributes.keys.length,
  );
  game.rules.typeChange.renewBonuses(world, unit);
  const held = c.variables[row];
  changeVariables(game, unit, held !== undefined && hasNoVariableMap(type) ? held.layout : type.variables);
  resizeInventory(game, unit, type);
  if (game.rules.unknownBodyMeansNoBody) c.bodyType[row] = undefined;
  c.identity.state[row] = -1;
  setState(game, unit, oldState);
  if (isOver()) return;
  // If the unit now has a state, entering the state has already requested its body.
  if (c.identity.state[row]! < 0) rebuildBody(game, unit);
  if (c.bodyType[row]?.fixedRotation) game.physics.turnTo(unit, 0);
  emit(game, 'typeChanging', unit, isOver);
  if (isOver()) return;
  giveBackClamped(game, unit, type, clamped, (key) => oldValues[oldLayout.offsets.get(key) ?? -1]);
  emit(game, 'typeChanged', unit, isOver);
}

/**
 * Whether a type has no variables map. The variables of the former type then stay, while an empty map would remove them
 * (reference: variables#type-changes).
 */
function hasNoVariableMap({ definition, variables }: RuntimeUnitType) {
  return definition.variables === emptyMap && variables.names.length === 0;
}

/**
 * Returns to each attribute the part of its value that the maximum of the new type cut off (reference:
 * units#type-changes). The dialect decides how much comes back.
 */
function giveBackClamped(
  game: Game,
  unit: Entity,
  { attributes: { keys } }: RuntimeUnitType,
  clamped: Float64Array,
  oldValue: (key: string) => number | undefined,
) {
  const { value, max } = game.world.attributes;
  const { withExcess } = game.rules.typeChange;
  const start = game.world.components.attributes.start[rowOf(unit)]!;
  for (let i = 0; i < keys.length; i++) {
    const old = oldValue(keys[i]!);
    if (old === undefined || !(old > clamped[i]!)) continue;
    value[start + i] = withExcess(value[start + i]!, clamped[i]!, old - clamped[i]!, max[start + i]!);
  }
}

/**
 * Sets the number of slots for the new type. `refreshItemsForType` later removes items from slots that the new type
 * lacks.
 */
function resizeInventory(game: Game, unit: Entity, type: RuntimeUnitType) {
  const state = game.world.inventoryOf(unit);
  state.inventorySize = Math.max(0, type.definition.inventorySize);
  state.backpackSize = Math.max(0, type.definition.backpackSize);
  const length = state.inventorySize + state.backpackSize + tradeSlots;
  state.slots = [...state.slots];
  // Items beyond the new last slot keep their slot until `refreshItemsForType` runs, so nothing is lost here.
  while (state.slots.length < length) state.slots.push(0);
}

/**
 * Values never exceed their maximum. The excess over the new maximum comes back only as far as items have raised the
 * maximum again, and only if no script changed the value.
 */
export const clampingTypeChange = {
  withExcess: (value: number, clamped: number, excess: number, max: number): number =>
    value === clamped ? Math.min(clamped + excess, max) : value,
};

/** As in the reference, the excess over the new maximum is added back, even if the value then exceeds the maximum. */
export const addingTypeChange = {
  withExcess: (value: number, _clamped: number, excess: number): number => value + excess,
};
