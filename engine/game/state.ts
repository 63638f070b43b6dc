import { bodySpec, debrisSpec } from '../physics/body.ts';
import { type Entity, Kind, rowOf } from '../world/entity.ts';
import type { RuntimeState, RuntimeType } from '../world/types.ts';
import type { World } from '../world/world.ts';
import type { Game } from './game.ts';
import { settleItem } from './item-state.ts';

/** The runtime type of a unit, item, projectile or player; undefined for other kinds and for players without a type. */
export function typeOf(world: World, entity: Entity): RuntimeType<unknown> | undefined {
  const row = rowOf(entity);
  const index = world.columns.type[row]!;
  if (index < 0) return undefined;
  switch (world.columns.kind[row]) {
    case Kind.unit:
      return world.types.unit.list[index];
    case Kind.item:
      return world.types.item.list[index];
    case Kind.projectile:
      return world.types.projectile.list[index];
    case Kind.player:
      return world.types.player.list[index];
    default:
      return undefined;
  }
}

export function stateOf(world: World, entity: Entity): RuntimeState | undefined {
  return typeOf(world, entity)?.states[world.columns.state[rowOf(entity)]!];
}

/**
 * Puts an entity into a state of its type; a key the type does not have means the default state. The entity's own scripts hear of every
 * call; only another state than before rebuilds the body (reference: units.md §2).
 */
export function setState(game: Game, entity: Entity, key: string | undefined): void {
  const { world } = game;
  const type = typeOf(world, entity);
  if (type === undefined) return;
  const row = rowOf(entity);
  const index = (key === undefined ? undefined : type.stateIndex.get(key)) ?? type.defaultState;
  const before = world.columns.state[row]!;
  const state = type.states[index];
  world.columns.state[row] = index;
  if (state?.namesBody) world.bodies[row] = state.body;
  if (world.columns.kind[row] === Kind.item) settleItem(world, entity);
  world.fireEntity('entityStateChanged', entity, {});
  if (index !== before && world.exists(entity)) rebuildBody(game, entity);
}

/** Takes over the state without telling anybody: how a new projectile starts. */
export function startState(world: World, entity: Entity, key: string | undefined): void {
  const type = typeOf(world, entity);
  if (type === undefined) return;
  const row = rowOf(entity);
  const index = (key === undefined ? undefined : type.stateIndex.get(key)) ?? type.defaultState;
  world.columns.state[row] = index;
  world.bodies[row] = type.states[index]?.body;
}

/**
 * Asks for the body that the entity's present state, scale and visibility call for: the old one goes, velocity and all, and the new one
 * comes at the next physics update (reference: units.md §2, physics.md §2).
 */
export function rebuildBody(game: Game, entity: Entity): void {
  const { world, physics } = game;
  const row = rowOf(entity);
  const c = world.columns;
  const prop = world.debris[row];
  if (prop !== undefined) {
    physics.requestBody(
      entity,
      c.hidden[row] === 1 ? undefined : debrisSpec(prop, c.width[row]!, c.height[row]!),
      false,
    );
    return;
  }
  const body = world.bodies[row];
  if (body !== undefined) {
    c.width[row] = body.width * c.bodyScale[row]!;
    c.height[row] = body.height * c.bodyScale[row]!;
  }
  const category = categories[c.kind[row]!];
  const present = category !== undefined && c.hidden[row] === 0 && body !== undefined;
  physics.requestBody(entity, present ? bodySpec(body, category) : undefined, isConfined(world, entity));
}

const categories: Readonly<Record<number, 'unit' | 'item' | 'projectile'>> = {
  [Kind.unit]: 'unit',
  [Kind.item]: 'item',
  [Kind.projectile]: 'projectile',
};

function isConfined(world: World, entity: Entity): boolean {
  const definition = typeOf(world, entity)?.definition as
    | { readonly confinedWithinMapBoundaries?: boolean }
    | undefined;
  return definition?.confinedWithinMapBoundaries !== false;
}

/** Plays what a type says happens with an entity: its script, and for clients the sounds and pictures (reference: units.md §7). */
export function playEffect(game: Game, entity: Entity, effect: string, attacker?: Entity): void {
  const { world } = game;
  const type = typeOf(world, entity)?.definition as
    | { readonly effects: ReadonlyMap<string, { readonly runScript: string | undefined }> }
    | undefined;
  const entry = type?.effects.get(effect);
  if (entry === undefined) return;
  world.post('effect', {
    entityId: world.ref(entity)?.id,
    effect,
    ...(attacker === undefined ? {} : { attackerId: world.ref(attacker)?.id }),
  });
  if (entry.runScript === undefined) return;
  const payload =
    world.columns.kind[rowOf(entity)] === Kind.unit
      ? { unit: entity }
      : world.columns.kind[rowOf(entity)] === Kind.item
        ? { item: entity }
        : { projectile: entity };
  if (!world.port.runScript(entry.runScript, entity, payload)) {
    world.fault('no-such-script', `The effect "${effect}" runs the script "${entry.runScript}", which does not exist.`);
  }
}
