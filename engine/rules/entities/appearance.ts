import { Unnamed } from '../../components/unnamed.ts';
import { type Entity, Kind, rowOf } from '../../world/entity.ts';
import { type Look, look } from '../../world/shown.ts';
import type { World } from '../../world/world.ts';
import type { Game } from '../game.ts';
import { scaleBody } from './state.ts';

/** The look of an entity on clients. Changes are published, and stored for clients that join later. */

/** Values of a flip. A horizontal flip also mirrors the anchors of held items. */
export const flips = { none: 0, horizontal: 1, vertical: 2, both: 3 } as const;
type Flip = (typeof flips)[keyof typeof flips];

export function flipSprite({ world }: Game, entity: Entity, flip: Flip): void {
  world.components.facing.flip[rowOf(entity)] = flip;
  world.wake(entity);
  // In its next turn, a unit with AI flips to match its facing again.
  world.wake(entity);
  world.post('entity.style', { entityId: world.ref(entity)?.id, flip, to: 'everyone' });
}

/** Sets the opacity, clamped to 0 to 1. */
export function setOpacity({ world }: Game, entity: Entity, opacity: number): void {
  const clamped = Math.max(0, Math.min(1, opacity));
  world.shown.opacity.set(entity, clamped);
  world.post('entity.style', { entityId: world.ref(entity)?.id, opacity: clamped, to: 'everyone' });
}

/**
 * Scales the image of an entity. The factor is rounded to two decimals. For items, the body is scaled, too; for
 * all other entities, only the image (reference: operations#changescaleofentitysprite).
 */
export function scaleSprite(game: Game, entity: Entity, factor: number): void {
  const scale = Math.round(factor * 100) / 100;
  changeLook(game, entity, { scale });
  if (game.world.kindOf(entity) === Kind.item) scaleBody(game, entity, scale);
}

/** Stores and publishes a change of an entity's look. */
export function changeLook({ world }: Game, entity: Entity, change: Partial<Look>): void {
  keepLook(world, entity, change);
  world.post('entity.style', { entityId: world.ref(entity)?.id, ...change, to: 'everyone' });
}

/** Sets several flags of a unit's look to the same value. */
export function setLookFlags({ world }: Game, unit: Entity, flags: readonly LookFlag[], value: boolean): void {
  keepLook(world, unit, Object.fromEntries(flags.map((flag) => [flag, value])));
  world.post('entity.style', { entityId: world.ref(unit)?.id, flags, value, to: 'everyone' });
}
type LookFlag = Extract<keyof Look, `is${string}`>;

/** Sets the colour of the name shown above a unit. */
export function colorLabel({ world }: Game, unit: Entity, color: string): void {
  keepLook(world, unit, { labelColor: color });
  world.post('entity.label', { op: 'color', unitId: world.ref(unit)?.id, color, to: 'everyone' });
}

function keepLook({ shown }: World, entity: Entity, change: Partial<Look>) {
  const known = shown.looks.get(entity) ?? look.create();
  shown.looks.set(entity, Object.freeze({ ...known, ...change }));
}

/** Names an entity or player. Undefined clears the name for scripts. */
export function nameEntity(world: World, entity: Entity, name: string | undefined): void {
  if (name === undefined) {
    world.add(entity, Unnamed);
    return;
  }
  world.remove(entity, Unnamed);
  world.components.name[rowOf(entity)] = name;
}

/** The name of an entity or player as scripts see it. */
export function nameOf(world: World, entity: Entity): string | undefined {
  return world.has(entity, Unnamed) ? undefined : world.components.name[rowOf(entity)];
}
