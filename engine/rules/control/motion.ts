import { controlsState } from '../../components/controls.ts';
import { atan2, cos, normaliseAngle, PI, sin } from '../../core/dmath.ts';
import { type Entity, Kind, noEntity, rowOf } from '../../world/entity.ts';
import { payloadOf } from '../../world/payloads.ts';
import { unitTypeOf } from '../../world/types.ts';
import type { World } from '../../world/world.ts';
import { isStunned, speedFactor } from '../combat/status-effect.ts';
import { changesIn, fires, playsEffect, rule } from '../effects.ts';
import { attributeValue } from '../entities/attribute.ts';
import { playEffect } from '../entities/state.ts';
import type { Game } from '../game.ts';
import { carriedBuff } from '../types/buff-catalogue.ts';
import { steeredBy } from './control.ts';

export const steering = rule(
  'keys, mouse and AI move units',
  ['tick'],
  changesIn('unit', 'velocity', 'angle', 'look', 'ai'),
  fires('unitStartsMoving', 'unitStopsMoving'),
  playsEffect,
);

/** The controls of a player whose client has sent no key or mouse input. */
const untouched = Object.freeze(controlsState.create());

/** The reference's divisor for diagonals; not exactly the square root of 2. */
// biome-ignore lint/suspicious/noApproximativeNumericConstant: the reference has twelve digits, and positions depend on them.
const diagonal = 1.41421356237;

const methods = { velocity: 1, force: 2, impulse: 3 } as const;

/**
 * Sets the method by which the next physics update applies a unit's movement vector, as the unit's type says. Also
 * works after the unit's turn in this tick.
 */
export function chooseMovementMethod({ world }: Game, unit: Entity): void {
  const { controls } = unitTypeOf(world, unit).definition;
  world.components.velocity.method[rowOf(unit)] = methods[controls?.movementMethod as keyof typeof methods] ?? 0;
}

/**
 * Sets where a unit faces and how it moves in this tick (reference: units#facing, units#movement). Runs before its AI,
 * which decides for the next tick.
 */
export function steerUnit(game: Game, unit: Entity): void {
  const { world } = game;
  const c = world.components;
  const row = rowOf(unit);
  const velocity = c.velocity;
  velocity.x[row] = 0;
  velocity.y[row] = 0;
  const { definition } = unitTypeOf(world, unit);
  const { controls } = definition;
  if (isStunned(world, unit)) return;
  const ai = c.ai[row];
  const hasAi = ai?.enabled === true;
  let follows = false;
  const player = hasAi ? 0 : steeredBy(game, unit);
  if (player !== 0) {
    const { mouseX, mouseY, cameraYaw, absoluteAngle } = c.controls[rowOf(player)] ?? untouched;
    const dx = mouseX - c.transform.x[row]!;
    const dy = mouseY - c.transform.y[row]!;
    const hasPointed = !Number.isNaN(mouseX);
    let aim = NaN;
    if (controls?.absoluteRotation) aim = absoluteAngle;
    else if (hasPointed) aim = definition.cameraPointerLock ? -cameraYaw : normaliseAngle(atan2(dy, dx) + PI / 2);
    if (!Number.isNaN(aim)) {
      c.facing.angle[row] = aim;
      if (controls?.mouseBehaviour.flipSpriteHorizontallyWRTMouse) c.facing.flip[row] = mirrored(aim + cameraYaw);
    }
    if (hasPointed && controls?.movementControlScheme === 'followCursor') {
      const reach = c.transform.width[row]! / 3;
      follows = dx * dx + dy * dy > reach * reach;
    }
  } else if (hasAi && !Number.isNaN(c.facing.angle[row]!)) {
    c.facing.flip[row] = mirrored(c.facing.angle[row]!);
  }
  if (controls === undefined) return;
  if (
    controls.mouseBehaviour.rotateToFaceMouseCursor &&
    !Number.isNaN(c.facing.angle[row]!) &&
    !c.bodyType[row]?.fixedRotation
  ) {
    game.physics.turnTo(unit, c.facing.angle[row]!);
  }
  chooseMovementMethod(game, unit);
  const walks = hasAi && c.movement.moving[row] === 1;
  if (walks || follows) {
    const facing = c.facing.angle[row]!;
    if (Number.isNaN(facing)) return;
    const speed = speedOf(world, unit);
    velocity.x[row] = speed * sin(facing);
    velocity.y[row] = -speed * cos(facing);
    return;
  }
  let x = c.movement.x[row]!;
  let y = c.movement.y[row]!;
  if (x === 0 && y === 0) return;
  if (ai !== undefined) {
    const mind = c.ai[row]!;
    mind.target = 0;
    mind.destination = undefined;
  }
  if (controls.movementControlScheme === 'wasdRelativeToUnit' && player !== 0) {
    const forward = -PI / 2 - (c.controls[rowOf(player)]?.cameraYaw ?? 0);
    const ahead = -y;
    const aside = x;
    x = round(ahead * cos(forward) - aside * sin(forward));
    y = round(ahead * sin(forward) + aside * cos(forward));
  }
  let speed = speedOf(world, unit);
  if (game.rules.isDiagonal(c.movement.x[row]!, c.movement.y[row]!, x, y)) speed /= diagonal;
  velocity.x[row] = x * speed;
  velocity.y[row] = y * speed;
}

/**
 * Whether `steerUnit` and `fireMovementTriggers` change nothing, in this tick and all later ones. False for a unit that
 * walks, follows a mouse, or turns its body to where it faces, because mouse and body may move in any tick.
 */
export function isSteeringIdle(game: Game, unit: Entity): boolean {
  const { world } = game;
  const { movement, velocity, identity, ai, facing } = world.components;
  const row = rowOf(unit);
  if (movement.x[row] !== 0 || movement.y[row] !== 0 || movement.moving[row] === 1) return false;
  if (velocity.x[row] !== 0 || velocity.y[row] !== 0) return false;
  if (identity.owner[row] === noEntity) return true;
  const hasAi = ai[row]?.enabled === true;
  const angle = facing.angle[row]!;
  if (hasAi && !Number.isNaN(angle) && facing.flip[row] !== mirrored(angle)) return false;
  const player = hasAi ? noEntity : steeredBy(game, unit);
  if (player !== noEntity) {
    const { mouseX, absoluteAngle } = world.components.controls[rowOf(player)] ?? untouched;
    if (!Number.isNaN(mouseX) || !Number.isNaN(absoluteAngle)) return false;
  }
  const { controls } = unitTypeOf(world, unit).definition;
  const turns = controls?.mouseBehaviour.rotateToFaceMouseCursor && !world.components.bodyType[row]?.fixedRotation;
  return !turns || Number.isNaN(angle);
}

/**
 * Sets the movement direction of a unit by script, per axis: -1, 0 or 1; undefined keeps an axis. It lasts until keys
 * or scripts set another.
 */
export function setMovement(world: World, unit: Entity, x: -1 | 0 | 1 | undefined, y: -1 | 0 | 1 | undefined): void {
  const movement = world.components.movement;
  if (x !== undefined) movement.x[rowOf(unit)] = x;
  if (y !== undefined) movement.y[rowOf(unit)] = y;
  world.wake(unit);
}

/**
 * The unit's speed: the value of its attribute `speed`, plus buffs of carried items, times the factor of status
 * effects.
 */
function speedOf(world: World, unit: Entity) {
  const speed = attributeValue(world, unit, 'speed') ?? baseSpeedOf(world, unit);
  if (world.definition.buffTypes.size === 0) return speed;
  return (speed + carriedBuff(world, unit, 'movementSpeed')) * speedFactor(world, unit);
}

/** The speed at which keys currently move a unit. */
export function walkingSpeed(world: World, unit: Entity): number {
  return isStunned(world, unit) ? 0 : speedOf(world, unit);
}

/** The speed of units that have no attribute `speed`. */
function baseSpeedOf(world: World, unit: Entity) {
  return unitTypeOf(world, unit).definition.baseSpeed ?? 0;
}

/**
 * Replaces a value that is almost 0 by 0. Sines of multiples of a right angle are not exactly 0, and directions along
 * an axis must be exact.
 */
function round(component: number) {
  return Math.abs(component) < 1e-12 ? 0 : component;
}

/**
 * Returns 1 if a unit that faces this angle is mirrored because it faces left, or exactly up or down; otherwise 0. The
 * anchors of the items that a mirrored unit holds are mirrored, too.
 */
function mirrored(angle: number): 0 | 1 {
  const relative = normaliseAngle(angle);
  return relative > 0 && relative < PI ? 0 : 1;
}

/** Fires triggers when keys start or stop a unit, once per change. Units moved by AI fire none here. */
export function fireMovementTriggers(game: Game, unit: Entity): void {
  const { world } = game;
  const c = world.components;
  const row = rowOf(unit);
  if (c.ai[row]?.enabled === true) return;
  const asked = c.movement.x[row] !== 0 || c.movement.y[row] !== 0 ? 1 : 0;
  if (asked === c.movement.moving[row]) return;
  const owner = c.identity.owner[row]!;
  if (!world.is(owner, Kind.player) || !world.isHuman(owner)) return;
  c.movement.moving[row] = asked;
  playEffect(game, unit, asked === 1 ? 'move' : 'idle');
  if (world.exists(unit))
    world.triggers.fireEntity(asked === 1 ? 'unitStartsMoving' : 'unitStopsMoving', unit, payloadOf.unit, unit);
}

/** As in the specification, a movement is diagonal if keys of both axes are held. */
export function isDiagonalByKeys(aside: number, ahead: number): boolean {
  return aside !== 0 && ahead !== 0;
}

/**
 * As in the reference, a movement is diagonal if both components of its direction on the map differ from zero
 * (reference: units#keys).
 */
export function isDiagonalByComponents(_aside: number, _ahead: number, x: number, y: number): boolean {
  return x !== 0 && y !== 0;
}
