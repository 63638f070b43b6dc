import { cos, sin } from '../base/dmath.ts';
import type { Binding, KeyBinding } from '../definition/ability.ts';
import { type Entity, Kind, noEntity, rowOf } from '../world/entity.ts';
import type { Game } from './game.ts';
import { dropSlot } from './inventory.ts';
import { carrierOf } from './item-state.ts';
import { pickUpItem } from './pick-up.ts';
import { startUsing, stopUsing } from './use.ts';

/**
 * Bindings of the older map (specification, Unit type, `abilities`): a key, and the key of an ability. An ability that the definition does not
 * describe is what its name says, as it was built into the engines of 2022 (reference: units.md §3).
 */

type Deed = (game: Game, unit: Entity) => void;

const deeds: Readonly<Record<string, Deed>> = {
  use,
  startUsingItem: use,
  stopUse: stopUse,
  stopUsingItem: stopUse,
  pickUp,
  pickupItem: pickUp,
  drop,
  dropItem: drop,
};

/** Walking is the business of the movement scheme, whatever a key is said to be bound to. */
const walking = /^(move|stopMoving)(Up|Down|Left|Right)$/;

/** How hard a dropped item is thrown, N for one step. */
const throwForce = 20;

/** What a key does by the older map; undefined where it does nothing, or where the dialect does not know that map. */
export function olderBinding(
  game: Game,
  unit: Entity,
  key: string,
  edge: keyof Pick<KeyBinding, 'keyDown' | 'keyUp'>,
): Binding | undefined {
  const { world } = game;
  if (!world.dialect.olderBindings) return undefined;
  const binding = world.types.unit.list[world.columns.type[rowOf(unit)]!]!.definition.legacyAbilities.get(key)?.[edge];
  if (binding?.kind !== 'ability') return binding;
  if (walking.test(binding.abilityKey)) return undefined;
  return isKnown(game, binding.abilityKey) ? binding : undefined;
}

/** Games leave abilities bound that they have removed: nothing happens then, as nothing ever did. */
function isKnown({ definition }: Game, ability: string): boolean {
  return definition.abilities.get(ability)?.scriptName !== undefined || Object.hasOwn(deeds, ability);
}

/** Whether there is something built in for the ability, where the dialect has built-in ones. */
export function isBuiltIn({ world }: Game, ability: string): boolean {
  return world.dialect.olderBindings && Object.hasOwn(deeds, ability);
}

export function doBuiltIn(game: Game, unit: Entity, ability: string): void {
  deeds[ability]?.(game, unit);
}

function held({ world }: Game, unit: Entity): Entity {
  const { heldItem } = world.units[rowOf(unit)]!;
  return world.exists(heldItem) ? heldItem : noEntity;
}

function use(game: Game, unit: Entity): void {
  const item = held(game, unit);
  if (item !== noEntity) startUsing(game, item);
}

function stopUse(game: Game, unit: Entity): void {
  const item = held(game, unit);
  if (item !== noEntity) stopUsing(game, item);
}

/** The first item that nobody carries, among those under the unit. */
function pickUp(game: Game, unit: Entity): void {
  const { world, physics } = game;
  const c = world.columns;
  const row = rowOf(unit);
  const width = c.width[row]!;
  const height = c.height[row]!;
  const found: Entity[] = [];
  physics.queryArea(c.x[row]! - width / 2, c.y[row]! - height / 2, width, height, found);
  for (const item of found) {
    if (!world.is(item, Kind.item) || carrierOf(world, item) !== noEntity) continue;
    pickUpItem(game, unit, item);
    return;
  }
}

/** Thrown the way the unit faces. */
function drop(game: Game, unit: Entity): void {
  const { world, physics } = game;
  const item = held(game, unit);
  if (item === noEntity || !dropSlot(game, unit, world.units[rowOf(unit)]!.currentSlot) || !world.exists(item)) return;
  const angle = world.columns.angle[rowOf(unit)]!;
  physics.applyForce(item, throwForce * sin(angle), -throwForce * cos(angle));
}
