import { type Entity, Kind, rowOf } from '../../world/entity.ts';
import type { World } from '../../world/world.ts';
import { reactToSensor } from '../ai/ai.ts';
import { touchDamage } from '../combat/damage.ts';
import { destroyOnContact } from '../combat/projectile.ts';
import type { Game } from '../game.ts';

/**
 * What two bodies that begin or end to touch mean to the game: the effects and triggers, in this order (reference: physics#contacts). Called
 * after the physics step, once per contact, in order of occurrence. Either side may have been destroyed by then, by an earlier contact of
 * the same step; what is left of the contact still counts for the other.
 */

export function beginContact(game: Game, a: Entity, b: Entity): void {
  meet(game, a, b);
  meet(game, b, a);
  // Only now is it known whether the projectile hurt what it touched.
  endProjectile(game, a, b);
  endProjectile(game, b, a);
}

function endProjectile(game: Game, projectile: Entity, other: Entity): void {
  if (game.world.is(projectile, Kind.projectile)) destroyOnContact(game, projectile, other);
}

export function endContact(game: Game, a: Entity, b: Entity): void {
  part(game, a, b);
  part(game, b, a);
}

/** The centre left the map; the walls of the world count as walls (reference: physics#map-edge). Own scripts first here. */
export function leaveMap(game: Game, entity: Entity): void {
  const { world } = game;
  if (!world.exists(entity)) return;
  world.fireEntity('entityTouchesWall', entity, {});
  if (world.exists(entity)) touchesWall(world, entity);
}

function meet(game: Game, x: Entity, y: Entity): void {
  const { world } = game;
  const kind = world.components.identity.kind[rowOf(x)]!;
  if (kind === Kind.debris && world.is(y, Kind.region))
    world.fireGlobal('debrisEntersRegion', { debris: x, region: y });
  if (kind !== Kind.unit && kind !== Kind.item && kind !== Kind.projectile) return;
  // Destroyed by an earlier contact of the step, it still makes its others (reference: physics#contacts; recorded case e_contact_destroy).
  if (!world.remembers(x)) return;
  const { last } = world;
  if (kind === Kind.unit) last.touchingUnit = x;
  switch (world.components.identity.kind[rowOf(y)]) {
    case Kind.unit:
      last.touchedUnit = y;
      if (kind === Kind.unit) world.fireGlobal('unitTouchesUnit', { unit: x });
      else if (kind === Kind.item) world.fireGlobal('itemTouchesUnit', { item: x });
      else world.fireGlobal('projectileTouchesUnit', { projectile: x });
      if (world.remembers(x)) world.fireEntity('entityTouchesUnit', x, about(world, x, { unit: y }));
      break;
    case Kind.item:
      if (kind === Kind.unit) world.fireGlobal('unitTouchesItem', { unit: x, item: y });
      else if (kind === Kind.item) world.fireGlobal('itemTouchesItem', { item: x });
      else world.fireGlobal('projectileTouchesItem', { projectile: x, item: y });
      last.touchedItem = y;
      if (world.remembers(x)) world.fireEntity('entityTouchesItem', x, about(world, x, { item: y }));
      break;
    case Kind.projectile:
      last.touchedProjectile = y;
      if (kind === Kind.unit) {
        touchDamage(game, y, x);
        world.fireGlobal('unitTouchesProjectile', { unit: x, projectile: y, collidingEntity: x });
      } else if (kind === Kind.item) {
        world.fireGlobal('itemTouchesProjectile', { item: x, projectile: y, collidingEntity: x });
      } else {
        world.fireGlobal('projectileTouchesProjectile', { projectile: x, collidingEntity: x });
      }
      if (world.remembers(x))
        world.fireEntity('entityTouchesProjectile', x, about(world, x, { projectile: y, collidingEntity: x }));
      break;
    case Kind.region:
      world.fireEntity('entityEntersRegion', x, about(world, x, { region: y }));
      if (kind === Kind.unit) world.fireGlobal('unitEntersRegion', { unit: x, region: y });
      else if (kind === Kind.item) world.fireGlobal('itemEntersRegion', { item: x, region: y });
      else world.fireGlobal('projectileEntersRegion', { projectile: x, region: y });
      break;
    case Kind.sensor: {
      const owner = world.components.identity.owner[rowOf(y)]!;
      if (!world.exists(owner)) break;
      if (kind === Kind.unit) world.fireEntity('unitEntersSensor', owner, { unit: x, sensor: y });
      else if (kind === Kind.item) world.fireEntity('itemEntersSensor', owner, { item: x, sensor: y });
      else world.fireEntity('projectileEntersSensor', owner, { projectile: x, sensor: y });
      tellWorldOfSensor(world, owner, x, y);
      if (kind === Kind.unit && world.exists(owner) && world.exists(x)) reactToSensor(game, owner, x);
      break;
    }
    case Kind.wall:
      touchesWall(world, x);
      if (world.remembers(x)) world.fireEntity('entityTouchesWall', x, {});
      break;
    case Kind.debris:
      if (kind === Kind.unit) last.touchedDebris = y;
      if (kind === Kind.unit) world.fireGlobal('unitTouchesDebris', { unit: x, debris: y });
      else if (kind === Kind.projectile)
        world.fireGlobal('projectileTouchesDebris', { projectile: x, debris: y, collidingEntity: y });
      break;
  }
}

/** The names by which global scripts heard of sensors in 2022; the owner's own body was no news to them. */
function tellWorldOfSensor(world: World, owner: Entity, x: Entity, sensor: Entity): void {
  if (x === owner) return;
  const kind = world.components.identity.kind[rowOf(x)];
  if (kind === Kind.unit) world.fireGlobal('whenUnitEntersSensor', { unit: x, sensor });
  else if (kind === Kind.item) world.fireGlobal('whenItemEntersSensor', { unit: owner, sensor, item: x });
}

function part(game: Game, x: Entity, y: Entity): void {
  const { world } = game;
  // A destroyed entity's body leaves what it touched; its row still says what it was until the tick ends.
  const kind = world.components.identity.kind[rowOf(x)]!;
  if (kind !== Kind.unit && kind !== Kind.item && kind !== Kind.projectile) return;
  switch (world.components.identity.kind[rowOf(y)]) {
    case Kind.region:
      if (world.remembers(x)) world.fireEntity('entityLeavesRegion', x, about(world, x, { region: y }));
      if (kind === Kind.unit) world.fireGlobal('unitLeavesRegion', { unit: x, region: y });
      else if (kind === Kind.item) world.fireGlobal('itemLeavesRegion', { item: x, region: y });
      else world.fireGlobal('projectileLeavesRegion', { projectile: x, region: y });
      break;
    case Kind.sensor: {
      const owner = world.components.identity.owner[rowOf(y)]!;
      if (!world.exists(owner)) break;
      if (kind === Kind.unit) world.fireEntity('unitLeavesSensor', owner, { unit: x, sensor: y });
      else if (kind === Kind.item) world.fireEntity('itemLeavesSensor', owner, { item: x, sensor: y });
      else world.fireEntity('projectileLeavesSensor', owner, { projectile: x, sensor: y });
      break;
    }
  }
}

function touchesWall(world: World, x: Entity): void {
  switch (world.components.identity.kind[rowOf(x)]) {
    case Kind.unit:
      world.fireGlobal('unitTouchesWall', { unit: x });
      break;
    case Kind.item:
      world.fireGlobal('itemTouchesWall', { item: x });
      break;
    case Kind.projectile:
      world.fireGlobal('projectileTouchesWall', { projectile: x });
      break;
  }
}

/** An entity's own script is told who it is and what it met; where both are of one kind, only what it met (reference: physics#contacts). */
function about<T extends object>(world: World, x: Entity, met: T): T {
  switch (world.components.identity.kind[rowOf(x)]) {
    case Kind.unit:
      return { unit: x, ...met };
    case Kind.item:
      return { item: x, ...met };
    default:
      return { projectile: x, ...met };
  }
}
