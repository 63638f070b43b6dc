import { Controls } from '../../components/controls.ts';
import { type Entity, Kind, noEntity, rowOf } from '../../world/entity.ts';
import { unitTypeOf } from '../../world/types.ts';
import { isStunned } from '../combat/status-effect.ts';
import type { DirectionBetween, Game } from '../game.ts';
import { selectSlot } from '../items/inventory.ts';
import { stopUsing } from '../items/use.ts';
import { queueKey } from './cast-queue.ts';

/**
 * Keys and mouse of a player, as they reach its selected unit (reference: units#keys). Any text is a key; what it does is the unit
 * type's business.
 */

/** Limits of the keys that a client says are down: a keyboard reports fewer, and names of keys are shorter. */
const keysDownMax = 64;
const keyLengthMax = 64;

export function keyDown(game: Game, player: Entity, key: string): void {
  const { world } = game;
  const own = world.components.ownedUnits[rowOf(player)];
  if (!world.exists(player) || own === undefined || key.length > keyLengthMax) return;
  const { keysDown } = world.ensure(player, Controls);
  const before = [...keysDown];
  // A key that is already down counts as pressed anew. The unit may be another one by now, and the client may not have reported a release.
  const at = keysDown.indexOf(key);
  if (at >= 0) keysDown.splice(at, 1);
  keysDown.push(key);
  if (keysDown.length > keysDownMax) keyUp(game, player, keysDown[0]!);
  const unit = own.selected;
  if (!world.is(unit, Kind.unit)) return;
  const row = rowOf(unit);
  // Whatever the key is: a unit that is selected later than a key went down takes its direction from the next one.
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
  const row = rowOf(unit);
  // Letting go of the first mouse button always stops the item, whatever the button is bound to.
  const held = world.components.inventory[row]!.heldItem;
  if (key === 'button1' && world.exists(held)) stopUsing(game, held);
  steer(game, player, unit, keysDown ?? nothing);
  queueKey(game, unit, key, 'keyUp');
}

/** Lets go of everything; each key goes up once, so that what it started can stop. */
export function releaseKeys(game: Game, player: Entity): void {
  for (const key of [...(game.world.components.controls[rowOf(player)]?.keysDown ?? [])]) keyUp(game, player, key);
}

/** World px. Kept only while the player has a unit to point with (reference: players#client-messages). */
export function pointAt(game: Game, player: Entity, x: number, y: number, yaw: number): void {
  const { world } = game;
  const own = world.components.ownedUnits[rowOf(player)];
  if (own === undefined) return;
  if (!Number.isFinite(x) || !Number.isFinite(y)) {
    world.fault('not-finite', 'The mouse is at no finite position.');
    return;
  }
  if (!world.exists(player) || !world.exists(own.selected)) return;
  const controls = world.ensure(player, Controls);
  controls.mouseX = x;
  controls.mouseY = y;
  world.wake(own.selected);
  if (Number.isFinite(yaw)) controls.cameraYaw = yaw;
}

/** Radians; what a client says by `absoluteAngle`. Unit types with `absoluteRotation` turn to it. */
export function turnTo({ world }: Game, player: Entity, angle: number): void {
  const own = world.components.ownedUnits[rowOf(player)];
  if (!world.exists(player) || own === undefined || !Number.isFinite(angle)) return;
  world.ensure(player, Controls).absoluteAngle = angle;
  world.wake(own.selected);
}

/** The direction that the keys held ask for; `before` are those that were held before the key event. */
function steer(game: Game, player: Entity, unit: Entity, before: readonly string[]): void {
  const { world } = game;
  const row = rowOf(unit);
  const { definition } = unitTypeOf(world, unit);
  if (definition.controls === undefined) return;
  const scheme = definition.controls.movementControlScheme;
  const takesVertical = scheme === 'wasd' || scheme === 'wasdRelativeToUnit';
  const keysDown = world.components.controls[rowOf(player)]?.keysDown ?? nothing;
  const { x, y } = world.components.movement;
  // Keys that the scheme does not take are keys that are up: a direction that a script gave lasts until the next key event.
  x[row] = takesVertical || scheme === 'ad' ? game.chosen.directionBetween(keysDown, before, leftKeys, rightKeys) : 0;
  y[row] = takesVertical ? game.chosen.directionBetween(keysDown, before, upKeys, downKeys) : 0;
  world.wake(unit);
}

const nothing: readonly string[] = Object.freeze([]);
const leftKeys: readonly string[] = ['a', 'left'];
const rightKeys: readonly string[] = ['d', 'right'];
const upKeys: readonly string[] = ['w', 'up'];
const downKeys: readonly string[] = ['s', 'down'];

/** Of two opposite keys the one pressed last counts, and letting go of it gives the direction back to the other. */
export const lastKeyCounts: DirectionBetween = (keysDown, _before, back, forth) => {
  let direction = 0;
  for (const key of keysDown) {
    if (back.includes(key)) direction = -1;
    else if (forth.includes(key)) direction = 1;
  }
  return direction;
};

/** Opposite keys cancel out. By going down, the second of them counts until the next key event (reference: units#keys). */
export const oppositeKeysCancel: DirectionBetween = (keysDown, before, back, forth) => {
  const isBack = holdsAny(keysDown, back);
  const isForth = holdsAny(keysDown, forth);
  if (isBack && isForth) {
    if (!holdsAny(before, back)) return -1;
    return holdsAny(before, forth) ? 0 : 1;
  }
  return Number(isForth) - Number(isBack);
};

function holdsAny(keysDown: readonly string[], keys: readonly string[]): boolean {
  return keysDown.some((key) => keys.includes(key));
}

/** The player whose keys and mouse a unit gets; 0 for none. */
export function steeredBy(game: Game, unit: Entity): Entity {
  const { world } = game;
  const owner = world.components.identity.owner[rowOf(unit)]!;
  if (!world.is(owner, Kind.player)) return noEntity;
  return world.components.ownedUnits[rowOf(owner)]!.selected === unit ? owner : noEntity;
}
