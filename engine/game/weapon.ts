import { cos, sin } from '../base/dmath.ts';
import { RayHits } from '../physics/ray.ts';
import { type Entity, Kind, noEntity, rowOf } from '../world/entity.ts';
import type { Damage, Point } from '../world/state.ts';
import { announceCreated } from './announce.ts';
import { buffedField, penetrates } from './buff-catalogue.ts';
import { damageOf, damageUnit, directionTo } from './damage.ts';
import type { Game } from './game.ts';
import { itemType } from './item-state.ts';
import { createProjectile } from './projectile.ts';
import { keepRay } from './ray.ts';

// Reused by every shot that is a ray; what it holds is copied before scripts run.
const hits = new RayHits();

/** Fires a gun (reference: items-projectiles.md §6). One without a place where bullets start does nothing. */
export function fireGun(game: Game, item: Entity, unit: Entity): void {
  const { world, physics } = game;
  const { definition } = itemType(world, item);
  const muzzle = definition.bulletStartPosition;
  if (muzzle === undefined) return;
  const c = world.columns;
  const row = rowOf(item);
  const unitRow = rowOf(unit);
  const body = world.bodies[row];
  const turnsWithUnit = body === undefined || body.type === 'none' || body.jointType === 'weldJoint';
  const angle = turnsWithUnit ? c.angle[unitRow]! : c.angle[row]!;
  const isSolid = body !== undefined && body.type !== 'none' && body.type !== 'spriteOnly';
  const mirrored = c.flip[unitRow] === 1;
  const aside = mirrored ? -muzzle.x : muzzle.x;
  const ahead = mirrored && turnsWithUnit ? -muzzle.y : muzzle.y;
  const dx = aside * cos(angle) + ahead * sin(angle);
  const dy = aside * sin(angle) - ahead * cos(angle);
  if (definition.bulletType === 'raycast') {
    const from = isSolid ? row : unitRow;
    fireRay(game, item, unit, c.x[from]! + dx, c.y[from]! + dy);
  } else {
    const { anchor } = world.items[row]!;
    fireProjectile(game, item, unit, { x: c.x[unitRow]! + anchor.x + dx, y: c.y[unitRow]! + anchor.y + dy }, angle);
  }
  const recoil = world.exists(item) ? buffedField(world, item, 'recoilForce') : (definition.recoilForce ?? 0);
  const pushed = isSolid ? item : unit;
  if (recoil !== 0 && world.exists(pushed)) physics.applyForce(pushed, -recoil * sin(angle), recoil * cos(angle));
}

function fireProjectile(game: Game, item: Entity, unit: Entity, start: Point, angle: number): void {
  const { world } = game;
  const { definition } = itemType(world, item);
  const type =
    definition.projectileType === undefined ? undefined : world.types.projectile.get(definition.projectileType);
  // Clients have projectiles built in that a definition may name; they are for show.
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
    launch: { how: definition.deployMethod ?? 'setVelocity', x: force * sin(angle), y: -force * cos(angle) },
  });
  if (projectile === noEntity) return;
  announceCreated(game, projectile);
  world.last.createdProjectile = projectile;
}

/** A bullet that is there at once: it goes where the unit faces and hits the first unit or wall on its way. */
function fireRay(game: Game, item: Entity, unit: Entity, x: number, y: number): void {
  const { world, physics } = game;
  const angle = world.columns.angle[rowOf(unit)]!;
  const distance = buffedField(world, item, 'bulletDistance');
  const toX = x + distance * sin(angle);
  const toY = y - distance * cos(angle);
  const damage = damageOf(world, item, unit);
  world.lastRaycast = [];
  if (physics.castBullet(x, y, toX, toY, hits)) {
    // A bullet that penetrates is not stopped by units; whether anything is in the way of its start is the same question.
    if (penetrates(world, item) && world.is(hits.entities[0]!, Kind.unit)) physics.castRay(x, y, toX, toY, hits);
    keepRay(game, hits, untilWall(game, hits));
    if (damage !== undefined) strike(game, world.lastRaycast, damage, angle);
  }
  world.enqueue('raycastItemFired', { item, unit });
}

/** How many of the things the ray met count: up to and including the first that is no unit. */
function untilWall(game: Game, { entities, count }: RayHits): number {
  for (let i = 0; i < count; i++) if (!game.world.is(entities[i]!, Kind.unit)) return i + 1;
  return count;
}

/**
 * Strikes with a melee weapon: everything in the square before the unit, whose half side is the width of the hit box (reference:
 * items-projectiles.md §5). It lies where the unit aims; up, for a unit that has never aimed.
 */
export function strikeMelee(game: Game, item: Entity, unit: Entity): void {
  const { world, physics } = game;
  const box = itemType(world, item).definition.damageHitBox;
  const damage = damageOf(world, item, unit);
  if (box?.width === undefined || damage === undefined) return;
  const row = rowOf(unit);
  const c = world.columns;
  const angle = Number.isNaN(c.facing[row]!) ? 0 : c.facing[row]!;
  const aside = box.offsetX ?? 0;
  const ahead = box.offsetY ?? 0;
  const x = c.x[row]! + aside * cos(angle) + ahead * sin(angle);
  const y = c.y[row]! + aside * sin(angle) - ahead * cos(angle);
  const found: Entity[] = [];
  physics.queryArea(x - box.width, y - box.width, box.width * 2, box.width * 2, found);
  strike(game, found, damage, undefined);
}

/** Damages the units among `found`; without an angle, away from the attacker. */
function strike(game: Game, found: readonly Entity[], damage: Damage, angle: number | undefined): void {
  const { world } = game;
  for (const target of found) {
    if (!world.is(target, Kind.unit)) continue;
    damageUnit(game, target, damage, angle ?? directionTo(world, damage.sourceUnit, target));
  }
}
