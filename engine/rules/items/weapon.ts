import type { Point } from '../../components/point.ts';
import type { Damage } from '../../components/projectile.ts';
import { aheadX, aheadY, cos, PI, sin } from '../../core/dmath.ts';
import { RayHits } from '../../physics/ray.ts';
import { type Entity, Kind, noEntity, rowOf } from '../../world/entity.ts';
import { itemTypeOf } from '../../world/types.ts';
import { damageOf, damageUnit, directionTo } from '../combat/damage.ts';
import { createProjectile } from '../combat/projectile.ts';
import { isWall, rememberRay } from '../combat/ray.ts';
import { queryAreaSeen, seenElsewhere } from '../combat/rewind.ts';
import { announceCreated } from '../entities/announce.ts';
import type { Game } from '../game.ts';
import { buffedField, penetrates } from '../types/buff-catalogue.ts';
import { heldAt } from './anchor.ts';

// Reused by every ray shot; the hits are copied before scripts run.
const hits = new RayHits();
const held: Point = { x: 0, y: 0 };

/** Fires a gun (reference: items-projectiles#guns). Does nothing if the gun has no bullet start position. */
export function fireGun(game: Game, item: Entity, unit: Entity): void {
  const { world, physics } = game;
  const { definition } = itemTypeOf(world, item);
  const muzzle = definition.bulletStartPosition;
  if (muzzle === undefined) return;
  const c = world.components;
  const row = rowOf(item);
  const unitRow = rowOf(unit);
  const body = c.bodyType[row];
  const isSolid = body !== undefined && body.type !== 'none' && body.type !== 'spriteOnly';
  const turnsWithUnit = body !== undefined && (body.type === 'none' || body.jointType === 'weldJoint');
  const angle = c.transform.angle[turnsWithUnit ? unitRow : row]!;
  if (definition.bulletType === 'raycast') {
    fireRay(game, item, unit, muzzle, body !== undefined && !isSolid);
  } else {
    const mirrored = c.facing.flip[unitRow] === 1;
    const aside = mirrored ? -muzzle.x : muzzle.x;
    const ahead = mirrored && turnsWithUnit ? -muzzle.y : muzzle.y;
    const start = {
      x: c.transform.x[unitRow]! + c.hold.anchorX[row]! + aside * cos(angle) + ahead * sin(angle),
      y: c.transform.y[unitRow]! + c.hold.anchorY[row]! + (aside * sin(angle) - ahead * cos(angle)),
    };
    fireProjectile(game, item, unit, start, angle);
  }
  const recoil = world.exists(item) ? buffedField(world, item, 'recoilForce') : (definition.recoilForce ?? 0);
  const pushed = isSolid ? item : unit;
  if (recoil === 0 || !world.exists(pushed)) return;
  const facing = c.transform.angle[rowOf(pushed)]!;
  physics.applyForce(pushed, recoil * cos(facing + PI / 2), recoil * sin(facing + PI / 2));
}

function fireProjectile(game: Game, item: Entity, unit: Entity, start: Point, angle: number) {
  const { world } = game;
  const { definition } = itemTypeOf(world, item);
  const { projectile: types } = world.types;
  // A definition may name a projectile type that is built into clients, or none. The gun's own description of a
  // projectile then applies.
  const type =
    (definition.projectileType === undefined ? undefined : types.get(definition.projectileType)) ??
    game.rules.ownProjectile(world, definition.key);
  if (type === undefined) return;
  const force = buffedField(world, item, 'bulletForce');
  const projectile = createProjectile(game, {
    type,
    x: start.x,
    y: start.y,
    angle,
    sourceUnit: unit,
    sourceItem: item,
    damage: damageOf(world, item, unit),
    penetrates: penetrates(world, item),
    reach: buffedField(world, item, 'bulletDistance'),
    launch: { how: definition.deployMethod ?? 'setVelocity', x: aheadX(angle) * force, y: aheadY(angle) * force },
  });
  if (projectile === noEntity) return;
  announceCreated(game, projectile);
  world.memory.last.createdProjectile = projectile;
}

/**
 * Fires a ray, that is, a bullet without travel time. The ray flies in the direction in which the unit faces and hits
 * the first unit or wall. If `isHeld`, the ray starts where the item is held, as if the item were welded; otherwise, it
 * starts at the item itself. For a mirrored unit, the ray starts behind the unit instead of in front of it, on the same
 * side.
 */
function fireRay(game: Game, item: Entity, unit: Entity, muzzle: Point, isHeld: boolean) {
  const { world, physics } = game;
  const c = world.components;
  const unitRow = rowOf(unit);
  const from = isHeld ? unitRow : rowOf(item);
  const turn = c.transform.angle[from]!;
  const ahead = c.facing.flip[unitRow] === 1 ? -muzzle.y : muzzle.y;
  if (isHeld) heldAt(world, item, unit, turn, held);
  const x = c.transform.x[from]! + (isHeld ? held.x : 0) + muzzle.x * cos(turn) + ahead * sin(turn);
  const y = c.transform.y[from]! + (isHeld ? held.y : 0) + muzzle.x * sin(turn) - ahead * cos(turn);
  const angle = c.transform.angle[unitRow]!;
  const distance = buffedField(world, item, 'bulletDistance');
  const toX = x + distance * aheadX(angle);
  const toY = y + distance * aheadY(angle);
  const damage = damageOf(world, item, unit);
  world.memory.lastRaycast = [];
  world.memory.hasCastRay = true;
  const elsewhere = seenElsewhere(game, unit);
  if (physics.castBullet(x, y, toX, toY, hits, elsewhere)) {
    // Units do not stop a penetrating bullet, so collect all hits. `castBullet` has already checked whether a wall
    // blocks the start of the ray.
    if (penetrates(world, item) && !isWall(world, hits, 0)) physics.castRay(x, y, toX, toY, hits, elsewhere);
    rememberRay(game, hits, untilWall(game, hits));
    if (damage !== undefined) strike(game, world.memory.lastRaycast, damage, angle);
  }
  world.triggers.enqueue('raycastItemFired', { item, unit });
}

/** The number of hits that count: those up to and including the first wall. */
function untilWall({ world }: Game, hits: RayHits) {
  for (let i = 0; i < hits.count; i++) if (isWall(world, hits, i)) return i + 1;
  return hits.count;
}

/**
 * Strikes with a melee weapon: damages the units in a square in front of the attacker. The side of the square is twice
 * the width of the hit box (reference: items-projectiles#melee). The square lies in the direction in which the unit
 * aims, or above a unit that has never aimed.
 */
export function strikeMelee(game: Game, item: Entity, unit: Entity): void {
  const { world } = game;
  const box = itemTypeOf(world, item).definition.damageHitBox;
  const damage = damageOf(world, item, unit);
  if (box?.width === undefined || damage === undefined) return;
  const row = rowOf(unit);
  const c = world.components;
  const angle = Number.isNaN(c.facing.angle[row]!) ? 0 : c.facing.angle[row]!;
  const aside = box.offsetX ?? 0;
  const ahead = box.offsetY ?? 0;
  const x = c.transform.x[row]! + aside * cos(angle) + ahead * sin(angle);
  const y = c.transform.y[row]! + aside * sin(angle) - ahead * cos(angle);
  strike(game, queryAreaSeen(game, unit, x - box.width, y - box.width, box.width * 2), damage, undefined);
}

/**
 * Damages the units among `found`. `angle` is the direction of the hit; if undefined, it points away from the attacker.
 */
function strike(game: Game, found: readonly Entity[], damage: Damage, angle: number | undefined) {
  const { world } = game;
  for (const target of found) {
    if (!world.is(target, Kind.unit)) continue;
    damageUnit(game, target, damage, angle ?? directionTo(world, damage.sourceUnit, target));
  }
}
