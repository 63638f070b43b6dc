import { StateHasher } from '../base/hash.ts';
import type { Game } from '../game/game.ts';
import { type Columns, components } from '../world/components.ts';
import { EntityRef, rowOf } from '../world/entity.ts';

/**
 * A hash over everything that can influence the future, in an order that does not depend on anything but the world: clock, columns of
 * living entities in creation order, their attributes, variables and other state, bodies, timers, queues and random streams.
 */
export function hashState(game: Game): string {
  const { world, physics } = game;
  const hasher = new StateHasher();
  hasher.int(world.tick);
  hasher.float(world.nowMs);
  const names = Object.keys(components) as (keyof Columns)[];
  const columns = names.map((name) => world.columns[name]);
  const { attributes } = world;
  for (const entity of world.order.entries) {
    if (!world.exists(entity)) continue;
    const row = rowOf(entity);
    hasher.float(entity);
    for (const column of columns) hasher.float(column[row]!);
    const start = world.columns.attributeStart[row]!;
    const end = start + world.columns.attributeCount[row]!;
    for (let i = start; i < end; i++) {
      hasher.float(attributes.value[i]!);
      hasher.float(attributes.min[i]!);
      hasher.float(attributes.max[i]!);
      hasher.float(attributes.rate[i]!);
    }
    hasher.float(physics.bodyX(entity));
    hasher.float(physics.bodyY(entity));
    hasher.float(physics.bodyAngle(entity));
    hasher.float(physics.velocityX(entity));
    hasher.float(physics.velocityY(entity));
    hasher.float(physics.angularVelocity(entity));
    hashPlain(hasher, world.variables[row]?.values);
    hashPlain(hasher, world.units[row]);
    hashPlain(hasher, world.items[row]);
    hashPlain(hasher, world.projectiles[row]);
    hashPlain(hasher, world.players[row]);
    hashPlain(hasher, world.regions[row]);
  }
  hashPlain(hasher, world.globals.values);
  for (const spent of world.globals.defaultSpent) hasher.int(spent);
  for (const timer of world.timers.heap) {
    hasher.float(timer.dueMs);
    hasher.int(timer.sequence);
    hasher.int(timer.job);
  }
  hashPlain(hasher, world.last);
  hashPlain(hasher, world.random.save());
  return hasher.digest();
}

/** Plain state: what scripts can hold, with entities by id, and maps and objects in their own order. */
function hashPlain(hasher: StateHasher, value: unknown): void {
  if (typeof value === 'number') {
    hasher.float(value);
    return;
  }
  if (value instanceof EntityRef) {
    hasher.int(1);
    hasher.float(value.entity);
    return;
  }
  if (value instanceof Map) {
    hasher.int(2);
    hasher.int(value.size);
    for (const [key, member] of value) {
      hashPlain(hasher, key);
      hashPlain(hasher, member);
    }
    return;
  }
  if (Array.isArray(value)) {
    hasher.int(3);
    hasher.int(value.length);
    for (const element of value) hashPlain(hasher, element);
    return;
  }
  if (value !== null && typeof value === 'object') {
    hasher.int(4);
    for (const [key, member] of Object.entries(value)) {
      hasher.string(key);
      hashPlain(hasher, member);
    }
    return;
  }
  hasher.value(value);
}
