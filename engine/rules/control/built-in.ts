import { cos, sin } from '../../core/dmath.ts';
import { type Entity, Kind, noEntity, rowOf } from '../../world/entity.ts';
import { changesIn, only, rule } from '../effects.ts';
import type { Game } from '../game.ts';
import { dropSlot } from '../items/inventory.ts';
import { carrierOf } from '../items/item-state.ts';
import { pickUpItem } from '../items/pick-up.ts';
import { startReload } from '../items/reload.ts';
import { startUsing, stopUsing } from '../items/use.ts';
import type { BuiltIn } from './cast-queue.ts';

export const builtInAbilities = rule(
  'built-in abilities',
  ['tick'],
  [...changesIn('unit', 'items'), ...changesIn('item', 'carrier', 'use', 'state', 'owner', 'size')].map((each) =>
    only('standard', each),
  ),
);

/**
 * Built-in abilities of the engines of 2022. The name of a built-in ability says what it does; the definition does not
 * describe built-in abilities (reference: units#built-in-keys).
 */

type BuiltInRule = (game: Game, unit: Entity) => void;

const use = onHeld(startUsing);
const stopUse = onHeld(stopUsing);
const reload = onHeld(startReload);

const builtInRules: Readonly<Record<BuiltIn, BuiltInRule>> = {
  use,
  startUsingItem: use,
  stopUse,
  stopUsingItem: stopUse,
  pickUp,
  pickupItem: pickUp,
  drop,
  dropItem: drop,
  reload,
  reloadItem: reload,
};

/** The force with which a dropped item is thrown, N, applied for one step. */
const throwForce = 20;

export function doBuiltIn(game: Game, unit: Entity, ability: string): void {
  builtInRules[ability as BuiltIn]?.(game, unit);
}

function held({ world }: Game, unit: Entity): Entity {
  const { heldItem } = world.inventoryOf(unit);
  return world.exists(heldItem) ? heldItem : noEntity;
}

/** An ability that applies a rule to the held item. */
function onHeld(rule: (game: Game, item: Entity) => void): BuiltInRule {
  return (game, unit) => {
    const item = held(game, unit);
    if (item !== noEntity) rule(game, item);
  };
}

/** Picks up the first item under the unit that no unit carries. */
function pickUp(game: Game, unit: Entity) {
  const { world, physics } = game;
  const c = world.components;
  const row = rowOf(unit);
  const width = c.transform.width[row]!;
  const height = c.transform.height[row]!;
  const found: Entity[] = [];
  physics.queryArea(c.transform.x[row]! - width / 2, c.transform.y[row]! - height / 2, width, height, found);
  for (const item of found) {
    if (!world.is(item, Kind.item) || carrierOf(world, item) !== noEntity) continue;
    pickUpItem(game, unit, item);
    return;
  }
}

/** Drops the held item, thrown in the direction that the unit faces. */
function drop(game: Game, unit: Entity) {
  const { world, physics } = game;
  const item = held(game, unit);
  if (item === noEntity || !dropSlot(game, unit, world.inventoryOf(unit).currentSlot) || !world.exists(item)) return;
  const angle = world.components.transform.angle[rowOf(unit)]!;
  physics.applyForce(item, throwForce * sin(angle), -throwForce * cos(angle));
}
