import type { BodyType } from '../../definition/body.ts';
import { type BodySpec, bodySpec, debrisSpec, hasForm } from '../../physics/body.ts';
import type { BodyCategory } from '../../physics/filter.ts';
import { type Entity, Kind, kinds, rowOf } from '../../world/entity.ts';
import { payloadOf } from '../../world/payloads.ts';
import { projectileTypeOf, type RuntimeState, typeOf } from '../../world/types.ts';
import type { World } from '../../world/world.ts';
import { emit } from '../events.ts';
import type { Game } from '../game.ts';
import { buffedHeight } from '../types/buff-catalogue.ts';

export function stateOf(world: World, entity: Entity): RuntimeState | undefined {
  return typeOf(world, entity)?.states[world.components.identity.state[rowOf(entity)]!];
}

/**
 * Puts an entity into a state of its type; a key the type does not have means the default state. Every call fires `entityStateChanged`; only a change
 * of state rebuilds the body, and puts the entity where `at` says (reference: units#states).
 */
export function setState(game: Game, entity: Entity, key: string | undefined, at?: Placement): void {
  const { world } = game;
  const type = typeOf(world, entity);
  if (type === undefined) return;
  const row = rowOf(entity);
  const index = (key === undefined ? undefined : type.stateIndex.get(key)) ?? type.defaultState;
  const before = world.components.identity.state[row]!;
  const state = type.states[index];
  world.components.identity.state[row] = index;
  if (state?.namesBody) world.components.bodyType[row] = state.body;
  // Whether it may turn is the body's business.
  world.wake(entity);
  emit(game, 'stateEntered', entity, index === before);
  world.triggers.fireEntity('entityStateChanged', entity, payloadOf.nothing);
  if (index === before || !world.exists(entity)) return;
  rebuildBody(game, entity);
  if (at !== undefined) putAt(game, entity, at);
}

/** px and radians. */
export interface Placement {
  readonly x: number;
  readonly y: number;
  readonly angle: number;
}

/** Where the body that it has now asked for shall be; one that may not turn faces up. Nothing for what has no physical presence. */
export function putAt({ world, physics }: Game, entity: Entity, { x, y, angle }: Placement): void {
  const body = world.components.bodyType[rowOf(entity)];
  if (!hasForm(body)) return;
  const turned = body.fixedRotation ? 0 : angle;
  physics.turnTo(entity, turned);
  physics.teleportTo(entity, x, y, turned);
}

/** Sets the state without a trigger: how a new projectile starts. */
export function startState(world: World, entity: Entity, key: string | undefined): void {
  const type = typeOf(world, entity);
  if (type === undefined) return;
  const row = rowOf(entity);
  const index = (key === undefined ? undefined : type.stateIndex.get(key)) ?? type.defaultState;
  world.components.identity.state[row] = index;
  world.components.bodyType[row] = type.states[index]?.body;
}

/**
 * Asks for the body that the entity's present state, scale and visibility call for. The old one goes with its velocity, and the new one comes at the
 * next physics update (reference: units#states, physics#bodies).
 */
export function rebuildBody(game: Game, entity: Entity): void {
  requestBody(game, entity);
  // With each state an item is also shown, which asks again.
  if (game.world.components.identity.kind[rowOf(entity)] === Kind.item) game.physics.requestAgain(entity);
}

/** As `rebuildBody`, for an item that is shown or hidden and nothing else. */
export function requestBody(game: Game, entity: Entity): void {
  const { world, physics } = game;
  const row = rowOf(entity);
  const c = world.components;
  const debris = world.components.debris[row];
  if (debris !== undefined) {
    physics.requestBody(
      entity,
      c.visibility.hidden[row] === 1
        ? undefined
        : debrisSpec(
            debris,
            c.transform.width[row]! * c.body.scale[row]!,
            c.transform.height[row]! * c.body.scale[row]!,
          ),
      false,
    );
    return;
  }
  const body = world.components.bodyType[row];
  if (body === undefined && keepsBody(game, entity)) return;
  if (body !== undefined && (game.chosen.statesGiveSizes || givesSize(world, entity, body))) {
    c.transform.width[row] = body.width * c.body.scale[row]!;
    c.transform.height[row] = heightOf(world, entity, body) * c.body.scale[row]!;
  }
  const category = categories[c.identity.kind[row]!];
  const present = category !== undefined && c.visibility.hidden[row] === 0 && body !== undefined;
  physics.requestBody(
    entity,
    present ? shapedSpec(world, entity, body, category) : undefined,
    isConfined(world, entity),
  );
}

/** Whether a state that has no body leaves the entity the one it has. An item is hidden then, and so loses it. */
function keepsBody({ world, chosen }: Game, entity: Entity): boolean {
  const { identity, visibility } = world.components;
  const row = rowOf(entity);
  return !chosen.unknownBodiesAreNone && identity.kind[row] !== Kind.item && visibility.hidden[row] === 0;
}

const isSeen = ({ type }: BodyType): boolean => type !== 'none';

/** A body that is there, and what an item that lies in the world looks like (reference: physics#sizes). */
function givesSize(world: World, entity: Entity, body: BodyType): boolean {
  const isItem = world.components.identity.kind[rowOf(entity)] === Kind.item;
  return hasForm(body) || (isItem && isSeen(body) && stateOf(world, entity)?.key === 'dropped');
}

/** A new entity is at a place (px, radians), without a body or a state. */
export function appear({ world, physics, chosen }: Game, entity: Entity, x: number, y: number, angle: number): void {
  const { transform } = world.components;
  const row = rowOf(entity);
  physics.appear(entity, x, y, angle);
  transform.width[row] = chosen.firstSize;
  transform.height[row] = chosen.firstSize;
}

/** A factor on the size that the state gives the body; nothing for one that is not above 0 or not finite. */
export function scaleBody(game: Game, entity: Entity, scale: number): boolean {
  if (!(scale > 0 && scale < Number.POSITIVE_INFINITY)) return false;
  game.world.components.body.scale[rowOf(entity)] = scale;
  if (game.chosen.scalesUnbuiltBodies || game.physics.isBuilt(entity)) rebuildBody(game, entity);
  return true;
}

/** Items can roll a height of their own. */
function heightOf(world: World, entity: Entity, { height }: BodyType): number {
  return world.components.identity.kind[rowOf(entity)] === Kind.item ? buffedHeight(world, entity, height) : height;
}

/**
 * A body can say that it flies at constant speed and ends on units and walls (specification, Body). Editors set the mark on everything that was once
 * a bullet, grenades and explosions too. So `destroyOnContactWith` of the type decides where it is given.
 */
export function fliesAsBodySays(world: World, entity: Entity): boolean {
  const { bodyType, identity } = world.components;
  const row = rowOf(entity);
  if (identity.kind[row] !== Kind.projectile || !bodyType[row]?.[constantSpeed]) return false;
  return projectileTypeOf(world, entity).definition.destroyOnContactWith === undefined;
}
const constantSpeed = 'constantSpeed +DestroyedOnCollisionWithWall/unit';

/** The scale is that of now: a later one needs another request. */
function shapedSpec(world: World, entity: Entity, body: BodyType, category: BodyCategory): BodySpec | undefined {
  const scale = world.components.body.scale[rowOf(entity)]!;
  const spec = bodySpec(body, category, scale);
  if (spec === undefined) return undefined;
  if (category === 'projectile') return fliesAsBodySays(world, entity) ? { ...spec, linearDamping: 0 } : spec;
  const height = heightOf(world, entity, body) * scale;
  return height === spec.height ? spec : { ...spec, height };
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

/** Plays what a type says happens with an entity: its script, and for clients the sounds and pictures (reference: units#effects). */
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
    world.components.identity.kind[rowOf(entity)] === Kind.unit
      ? { unit: entity }
      : world.components.identity.kind[rowOf(entity)] === Kind.item
        ? { item: entity }
        : { projectile: entity };
  if (!world.triggers.runScript(entry.runScript, entity, payload)) {
    world.fault(
      'no-such-script',
      `The effect "${effect}" runs the script "${entry.runScript}", which does not exist.`,
      `${kinds[world.components.identity.kind[rowOf(entity)]!]}Types/${typeOf(world, entity)!.key}/effects/${effect}/runScript`,
    );
  }
}
