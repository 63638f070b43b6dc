import type { BodyType } from '../../definition/body.ts';
import { type BodySpec, bodySpec, debrisSpec, hasForm } from '../../physics/body.ts';
import type { BodyCategory } from '../../physics/filter.ts';
import { type Entity, Kind, kinds, rowOf } from '../../world/entity.ts';
import { payloadOf } from '../../world/payloads.ts';
import type { PayloadOf } from '../../world/triggers.ts';
import { projectileTypeOf, type RuntimeState, typeOf } from '../../world/types.ts';
import type { World } from '../../world/world.ts';
import { emit } from '../events.ts';
import type { Game } from '../game.ts';
import { buffedHeight } from '../types/buff-catalogue.ts';
import type { Pose } from './place.ts';

export function stateOf(world: World, entity: Entity): RuntimeState | undefined {
  return typeOf(world, entity)?.states[world.components.identity.state[rowOf(entity)]!];
}

/**
 * Puts an entity into a state of its type; a key that the type lacks selects the default state. Every call fires
 * `entityStateChanged`, but only a change of state rebuilds the body, and moves the entity to `at` (reference:
 * units#states).
 */
export function setState(game: Game, entity: Entity, key: string | undefined, at?: Pose): void {
  const { world } = game;
  const type = typeOf(world, entity);
  if (type === undefined) return;
  const row = rowOf(entity);
  const index = (key === undefined ? undefined : type.stateIndex.get(key)) ?? type.defaultState;
  const before = world.components.identity.state[row]!;
  const state = type.states[index];
  world.components.identity.state[row] = index;
  if (state?.namesBody) world.components.bodyType[row] = state.body;
  // Wakes the entity, because the new body decides whether it may turn.
  world.wake(entity);
  emit(game, 'stateEntered', entity, index === before);
  world.triggers.fireEntity('entityStateChanged', entity, payloadOf.nothing);
  if (index === before || !world.exists(entity)) return;
  rebuildBody(game, entity);
  if (at !== undefined) putAt(game, entity, at);
}

/**
 * Moves the body that was just requested. A body with fixed rotation faces up. Does nothing for an entity without a
 * physical presence.
 */
export function putAt({ world, physics }: Game, entity: Entity, { x, y, angle }: Pose): void {
  const body = world.components.bodyType[rowOf(entity)];
  if (!hasForm(body)) return;
  const turned = body.fixedRotation ? 0 : angle;
  physics.turnTo(entity, turned);
  physics.teleportTo(entity, x, y, turned);
}

/** Sets the state of a new projectile, without firing a trigger. */
export function startState(world: World, projectile: Entity): void {
  const { defaultState, states } = projectileTypeOf(world, projectile);
  const row = rowOf(projectile);
  world.components.identity.state[row] = defaultState;
  world.components.bodyType[row] = states[defaultState]?.body;
}

/**
 * Requests a body that matches the entity's current state, scale and visibility. The next physics update discards the
 * old body and its velocity, and builds the new one (reference: units#states, physics#bodies).
 */
export function rebuildBody(game: Game, entity: Entity): void {
  const kind = game.world.kindOf(entity);
  requestBody(game, entity, kind === Kind.unit && !game.rules.hiddenUnitsStayBodiless);
  // In the reference, each state change also shows the item, which requests the item's body a second time.
  if (kind === Kind.item) game.physics.requestAgain(entity);
}

/**
 * Like `rebuildBody`, for an entity that was shown or hidden without a change of state. `alsoHidden`: whether the
 * entity gets a body even if it is hidden.
 */
export function requestBody(game: Game, entity: Entity, alsoHidden = false): void {
  const { world, physics } = game;
  const row = rowOf(entity);
  const c = world.components;
  const debris = c.debris[row];
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
  const body = c.bodyType[row];
  const isPresent = alsoHidden || c.visibility.hidden[row] === 0;
  if (body === undefined && isPresent && keepsBody(game, entity)) return;
  if (body !== undefined && (game.rules.statesGiveSizes || givesSize(world, entity, body))) {
    c.transform.width[row] = body.width * c.body.scale[row]!;
    c.transform.height[row] = heightOf(world, entity, body) * c.body.scale[row]!;
  }
  const category = categories[c.identity.kind[row]!];
  const present = category !== undefined && isPresent && body !== undefined;
  physics.requestBody(
    entity,
    present ? shapedSpec(world, entity, body, category) : undefined,
    isConfined(world, entity),
  );
}

/**
 * Whether an entity keeps its previous body when it enters a state without a body. Items never do: an item is hidden in
 * such a state.
 */
function keepsBody({ world, rules }: Game, entity: Entity) {
  return !rules.unknownBodyMeansNoBody && world.kindOf(entity) !== Kind.item;
}

const isSeen = ({ type }: BodyType) => type !== 'none';

/**
 * Whether a body type sets the size of an entity. A physical body does, and so does a body that is only an image, for
 * an item that lies in the world (reference: physics#sizes).
 */
function givesSize(world: World, entity: Entity, body: BodyType) {
  const isItem = world.kindOf(entity) === Kind.item;
  return hasForm(body) || (isItem && isSeen(body) && stateOf(world, entity)?.key === 'dropped');
}

/** Places a new entity (px, radians), without a body or a state. */
export function placeNewEntity(
  { world, physics, rules }: Game,
  entity: Entity,
  x: number,
  y: number,
  angle: number,
): void {
  const { transform } = world.components;
  const row = rowOf(entity);
  physics.appear(entity, x, y, angle);
  transform.width[row] = rules.firstSize;
  transform.height[row] = rules.firstSize;
}

/**
 * Scales the body of an entity. The factor applies to the body type of its current state. Returns false if the factor
 * is not finite, 0, or, in dialects with `scalesArePositive`, negative.
 */
export function scaleBody(game: Game, entity: Entity, scale: number): boolean {
  if (!Number.isFinite(scale) || scale === 0 || (scale < 0 && game.rules.scalesArePositive)) return false;
  game.world.components.body.scale[rowOf(entity)] = scale;
  if (game.rules.scaleAppliesToUnbuiltBodies || game.physics.isBuilt(entity)) rebuildBody(game, entity);
  return true;
}

/** The height of a body; items may have rolled a buff that increases it. */
function heightOf(world: World, entity: Entity, { height }: BodyType) {
  return world.kindOf(entity) === Kind.item ? buffedHeight(world, entity, height) : height;
}

/**
 * Whether a projectile flies at constant speed and is destroyed by units and walls because its body says so
 * (specification, Body). Editors set this mark on all types that were once made as bullets, including grenades and
 * explosions. So the type's `destroyOnContactWith` overrides it.
 */
export function hasConstantSpeed(world: World, entity: Entity): boolean {
  const { bodyType, identity } = world.components;
  const row = rowOf(entity);
  if (identity.kind[row] !== Kind.projectile || !bodyType[row]?.[constantSpeed]) return false;
  return projectileTypeOf(world, entity).definition.destroyOnContactWith === undefined;
}
const constantSpeed = 'constantSpeed +DestroyedOnCollisionWithWall/unit';

/**
 * Describes the body for a body type at the entity's current scale. After a change of scale, the body must be requested
 * again.
 */
function shapedSpec(world: World, entity: Entity, body: BodyType, category: BodyCategory): BodySpec | undefined {
  const scale = world.components.body.scale[rowOf(entity)]!;
  const spec = bodySpec(body, category, scale);
  if (spec === undefined) return undefined;
  // A box with a fixed size does not scale, so a negative scale does not turn it inside out.
  if (scale < 0 && (spec.circle || spec.fixedWidth === 0 || spec.fixedHeight === 0)) {
    return { ...spec, width: Math.abs(spec.width), height: Math.abs(spec.height), category: 0, mask: 0 };
  }
  if (category === 'projectile') return hasConstantSpeed(world, entity) ? { ...spec, linearDamping: 0 } : spec;
  const height = heightOf(world, entity, body) * scale;
  return height === spec.height ? spec : { ...spec, height };
}

const categories: Readonly<Record<number, 'unit' | 'item' | 'projectile'>> = {
  [Kind.unit]: 'unit',
  [Kind.item]: 'item',
  [Kind.projectile]: 'projectile',
};

function isConfined(world: World, entity: Entity) {
  const definition = typeOf(world, entity)?.definition as
    | { readonly confinedWithinMapBoundaries?: boolean }
    | undefined;
  return definition?.confinedWithinMapBoundaries !== false;
}

/**
 * Plays an effect of the entity's type: runs its script, and publishes its sounds and images to clients (reference:
 * units#effects).
 */
export function playEffect({ world }: Game, entity: Entity, effect: string, attacker?: Entity): void {
  const type = typeOf(world, entity)?.definition as
    | { readonly effects: ReadonlyMap<string, { readonly runScript: string | undefined }> }
    | undefined;
  const entry = type?.effects.get(effect);
  if (entry === undefined) return;
  world.post('effect', {
    entityId: world.ref(entity)?.id,
    effect,
    ...(attacker !== undefined && { attackerId: world.ref(attacker)?.id }),
  });
  if (entry.runScript === undefined) return;
  if (!world.triggers.runScript(entry.runScript, entity, ownPayload(world, entity))) {
    world.fault(
      'no-such-script',
      `The effect "${effect}" runs the script "${entry.runScript}", which does not exist.`,
      `${kinds[world.kindOf(entity)]}Types/${typeOf(world, entity)!.key}/effects/${effect}/runScript`,
    );
  }
}

/** A payload with a unit, item or projectile. */
export function ownPayload(world: World, entity: Entity): PayloadOf<'onPostResponse'> {
  const kind = world.kindOf(entity);
  if (kind === Kind.unit) return { unit: entity };
  return kind === Kind.item ? { item: entity } : { projectile: entity };
}
