import { Controls } from '../../components/controls.ts';
import {
  downKeys,
  leftKeys,
  rightKeys,
  upKeys,
  walksSideways,
  walksVertically,
} from '../../definition/walking-keys.ts';
import { type Entity, Kind, noEntity, rowOf } from '../../world/entity.ts';
import { unitTypeOf } from '../../world/types.ts';
import { isStunned } from '../combat/status-effect.ts';
import { changes, changesIn, only, rule } from '../effects.ts';
import type { DirectionBetween, Game } from '../game.ts';
import { selectSlot } from '../items/inventory.ts';
import { stopUsing } from '../items/use.ts';
import { queueKey } from './cast-queue.ts';

/**
 * Applies keys and mouse of a player to its selected unit (reference: units#keys). Any string is a valid key; the unit
 * type decides what the key does.
 */

export const keys = rule(
  'keys',
  ['keyDown', 'keyUp', 'releaseKeys'],
  changesIn('player', 'pointer'),
  changesIn('unit', 'direction', 'abilities', 'slot'),
  changesIn('item', 'use', 'state', 'visibility'),
  only('standard', changes('size', 'item')),
);
export const mouse = rule('mouse', ['mouse', 'absoluteAngle'], changesIn('player', 'pointer'));

/**
 * Limits on the keys that a client can report as down. Real keyboards report fewer keys at a time, with shorter names.
 */
const keysDownMax = 64;
const keyLengthMax = 64;

export function keyDown(game: Game, player: Entity, key: string): void {
  const { world } = game;
  const own = world.components.ownedUnits[rowOf(player)];
  if (!world.exists(player) || own === undefined || key.length > keyLengthMax) return;
  const { keysDown } = world.ensure(player, Controls);
  const before = [...keysDown];
  // A key that is already down counts as pressed again: the player may have selected another unit since, or the client
  // may not have reported the release.
  const at = keysDown.indexOf(key);
  if (at >= 0) keysDown.splice(at, 1);
  keysDown.push(key);
  if (keysDown.length > keysDownMax) keyUp(game, player, keysDown[0]!);
  const unit = own.selected;
  if (!world.is(unit, Kind.unit)) return;
  const row = rowOf(unit);
  // Runs for every key, not only for movement keys, because a unit that was selected while a key was down takes its
  // direction from the next key event.
  if (world.components.ai[row]?.enabled !== true) steer(game, player, unit, before);
  if (isStunned(world, unit)) return;
  if (queueKey(game, unit, key, 'keyDown')) return;
  if (key.length === 1 && key >= '1' && key <= '9' && world.components.visibility.hidden[row] === 0) {
    const slot = Number(key) - 1;
    if (slot < world.components.inventory[row]!.inventorySize) selectSlot(game, unit, slot);
  }
}

export function keyUp(game: Game, player: Entity, key: string): void {
  const { world } = game;
  const own = world.components.ownedUnits[rowOf(player)];
  if (own === undefined) return;
  const keysDown = world.components.controls[rowOf(player)]?.keysDown;
  const at = keysDown?.indexOf(key) ?? -1;
  if (at >= 0) world.components.controls[rowOf(player)]!.keysDown.splice(at, 1);
  const unit = own.selected;
  if (!world.is(unit, Kind.unit)) return;
  // Releasing the first mouse button always stops the use of the held item, whatever the button is bound to.
  const held = world.components.inventory[rowOf(unit)]!.heldItem;
  if (key === 'button1' && world.exists(held)) stopUsing(game, held);
  steer(game, player, unit, keysDown ?? nothing);
  queueKey(game, unit, key, 'keyUp');
}

/** Releases all keys of a player one by one, so that everything they started can stop. */
export function releaseKeys(game: Game, player: Entity): void {
  for (const key of [...(game.world.components.controls[rowOf(player)]?.keysDown ?? [])]) keyUp(game, player, key);
}

/**
 * Sets the position at which the player points, in px of the world. Ignored unless the player has a unit (reference:
 * players#client-messages).
 */
export function pointAt({ world }: Game, player: Entity, x: number, y: number, yaw: number): void {
  const own = world.components.ownedUnits[rowOf(player)];
  if (own === undefined) return;
  if (!Number.isFinite(x) || !Number.isFinite(y)) {
    world.fault('not-finite', 'The position of the mouse is not finite.');
    return;
  }
  if (!world.exists(player) || !world.exists(own.selected)) return;
  const controls = world.ensure(player, Controls);
  controls.mouseX = x;
  controls.mouseY = y;
  world.wake(own.selected);
  if (Number.isFinite(yaw)) controls.cameraYaw = yaw;
}

/** Sets the absolute angle that a client sends, radians. Units whose type has `absoluteRotation` turn to it. */
export function setAbsoluteAngle({ world }: Game, player: Entity, angle: number): void {
  const own = world.components.ownedUnits[rowOf(player)];
  if (!world.exists(player) || own === undefined || !Number.isFinite(angle)) return;
  world.ensure(player, Controls).absoluteAngle = angle;
  world.wake(own.selected);
}

/** Sets the unit's direction from the keys that are down; `before` lists those that were down before the key event. */
function steer(game: Game, player: Entity, unit: Entity, before: readonly string[]) {
  const { world } = game;
  const row = rowOf(unit);
  const { definition } = unitTypeOf(world, unit);
  if (definition.controls === undefined) return;
  const scheme = definition.controls.movementControlScheme;
  const keysDown = world.components.controls[rowOf(player)]?.keysDown ?? nothing;
  const { x, y } = world.components.movement;
  // Keys that the unit's control scheme does not use count as released, so a direction that a script set lasts only
  // until the next key event.
  x[row] = walksSideways(scheme) ? game.rules.directionBetween(keysDown, before, leftKeys, rightKeys) : 0;
  y[row] = walksVertically(scheme) ? game.rules.directionBetween(keysDown, before, upKeys, downKeys) : 0;
  world.wake(unit);
}

const nothing: readonly string[] = Object.freeze([]);

/** Of two opposite keys the one pressed last wins; releasing it returns the direction to the other. */
export const lastKeyWins: DirectionBetween = (keysDown, _before, back, forth) => {
  let direction = 0;
  for (const key of keysDown) {
    if (back.includes(key)) direction = -1;
    else if (forth.includes(key)) direction = 1;
  }
  return direction;
};

/**
 * Opposite keys cancel out, but when the second one goes down, it counts until the next key event (reference:
 * units#keys).
 */
export const oppositeKeysCancel: DirectionBetween = (keysDown, before, back, forth) => {
  const isBack = holdsAny(keysDown, back);
  const isForth = holdsAny(keysDown, forth);
  if (isBack && isForth) {
    if (!holdsAny(before, back)) return -1;
    return holdsAny(before, forth) ? 0 : 1;
  }
  return Number(isForth) - Number(isBack);
};

function holdsAny(keysDown: readonly string[], keys: readonly string[]) {
  return keysDown.some((key) => keys.includes(key));
}

/** The player whose keys and mouse control a unit; 0 for none. */
export function steeredBy({ world }: Game, unit: Entity): Entity {
  const owner = world.ownerOf(unit);
  if (!world.is(owner, Kind.player)) return noEntity;
  return world.selectedUnitOf(owner) === unit ? owner : noEntity;
}
