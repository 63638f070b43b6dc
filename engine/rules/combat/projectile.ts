import { type Damage, projectileState } from '../../components/projectile.ts';
import { type Entity, Kind, noEntity, rowOf } from '../../world/entity.ts';
import { projectileTypeOf, type RuntimeProjectileType } from '../../world/types.ts';
import type { World } from '../../world/world.ts';
import { destroys, only, rule } from '../effects.ts';
import { createAttributes } from '../entities/attribute.ts';
import { destroyEntity } from '../entities/destroy.ts';
import type { NewPose } from '../entities/place.ts';
import { hasConstantSpeed, placeNewEntity, playEffect, putAt, rebuildBody, startState } from '../entities/state.ts';
import { createVariables } from '../entities/variable.ts';
import type { Game } from '../game.ts';
import { lifeMs } from '../types/life-span.ts';

export const projectileRange = rule('the range of projectiles', ['tick'], destroys('projectile'));
export const projectileContact = rule(
  'contacts that destroy projectiles',
  ['contact'],
  only('standard', destroys('projectile')),
);

interface NewProjectile extends NewPose {
  /** The projectile type, or its key in the definition. */
  readonly type: RuntimeProjectileType | string;
  readonly sourceUnit?: Entity | undefined;
  readonly sourceItem?: Entity | undefined;
  /** The damage of a hit. Without this member, hits of the projectile do no damage by themselves. */
  readonly damage?: Damage | undefined;
  readonly penetrates?: boolean | undefined;
  /**
   * Distance in px from its starting point at which the projectile ends; 0 for no limit. Only used if the projectile
   * has no life span.
   */
  readonly reach?: number | undefined;
  /** The velocity (physics units per second), force or impulse with which the projectile starts. */
  readonly launch?:
    | { readonly how: 'setVelocity' | 'applyForce' | 'applyImpulse'; readonly x: number; readonly y: number }
    | undefined;
}

/**
 * Makes a projectile. Its body is built, at rest, in the next physics update; the projectile is launched in its first
 * turn after that (reference: items-projectiles#projectiles). The caller must announce the projectile
 * (`announceCreated`). Returns 0, with a fault, if there is no such type, a coordinate or the angle is not finite, or
 * the entity limit is reached.
 */
export function createProjectile(game: Game, made: NewProjectile): Entity {
  const { world, physics } = game;
  const type = typeof made.type === 'string' ? world.types.projectile.get(made.type) : made.type;
  if (type === undefined) {
    world.fault('no-such-type', `There is no projectile type "${made.type}".`);
    return noEntity;
  }
  if (!Number.isFinite(made.x) || !Number.isFinite(made.y) || !Number.isFinite(made.angle)) {
    world.fault(
      'not-finite',
      `A projectile ${type.name} was not created: its position (${made.x}, ${made.y}) and angle ${made.angle} must be finite numbers.`,
    );
    return noEntity;
  }
  const projectile = world.allocate('projectile');
  if (projectile === noEntity) return noEntity;
  const row = rowOf(projectile);
  const identity = world.components.identity;
  identity.type[row] = type.index;
  placeNewEntity(game, projectile, made.x, made.y, made.angle);
  identity.owner[row] = made.sourceUnit ?? noEntity;
  const flies = lifeMs(type.definition);
  if (flies !== undefined) world.components.lifespan.deathTimeMs[row] = world.clock.loopMs + flies;
  world.components.projectile[row] = projectileState.create({
    sourceItem: made.sourceItem ?? noEntity,
    damage: made.damage,
    penetrates: made.penetrates ?? false,
    range: flies === undefined && made.reach ? { x: made.x, y: made.y, distance: made.reach } : undefined,
  });
  createAttributes(world, projectile, type.attributes);
  world.components.variables[row] = createVariables(world, type.variables);
  startState(world, projectile);
  rebuildBody(game, projectile);
  putAt(game, projectile, made);
  const { launch } = made;
  if (launch?.how === 'applyForce') physics.applyForce(projectile, launch.x, launch.y);
  else if (launch?.how === 'applyImpulse') physics.applyImpulse(projectile, launch.x, launch.y);
  else if (launch !== undefined) physics.setVelocity(projectile, launch.x, launch.y);
  playEffect(game, projectile, 'create');
  if (made.isSized) physics.requestAgain(projectile);
  return projectile;
}

/** Like `createProjectile`, and makes it the last created projectile for scripts. */
export function createProjectileByScript(game: Game, made: NewProjectile): Entity {
  const projectile = createProjectile(game, made);
  if (projectile !== noEntity) game.world.memory.last.createdProjectile = projectile;
  return projectile;
}

/** Sets the unit that counts as the shooter. The damage of the projectile does not change. */
export function setSourceUnit(world: World, projectile: Entity, unit: Entity): void {
  world.components.identity.owner[rowOf(projectile)] = unit;
}

export function setSourceItem(world: World, projectile: Entity, item: Entity): void {
  world.components.projectile[rowOf(projectile)]!.sourceItem = item;
}

/** Whether a projectile has reached the end of its range. */
export function isOutOfRange({ components }: World, projectile: Entity): boolean {
  const row = rowOf(projectile);
  const range = components.projectile[row]!.range;
  if (range === undefined) return false;
  const dx = components.transform.x[row]! - range.x;
  const dy = components.transform.y[row]! - range.y;
  return dx * dx + dy * dy >= range.distance * range.distance;
}

const contacts = [
  { kind: Kind.unit, member: 'units' },
  { kind: Kind.item, member: 'items' },
  { kind: Kind.projectile, member: 'projectiles' },
  { kind: Kind.wall, member: 'walls' },
  { kind: Kind.debris, member: 'debris' },
] as const;

/**
 * Applies `destroyOnContactWith`, after the scripts of both sides have run (reference: physics#destroy-on-contact). A
 * projectile with damage is only destroyed by units that it damaged, so it flies through friends. A projectile without
 * damage is destroyed by any unit except its source. No unit destroys a projectile that penetrates units.
 */
export function destroyOnContact(game: Game, projectile: Entity, other: Entity): void {
  const { world } = game;
  if (!world.is(projectile, Kind.projectile)) return;
  const row = rowOf(projectile);
  const kind = world.kindOf(other);
  const contact = contacts.find((candidate) => candidate.kind === kind);
  if (contact === undefined) return;
  const { definition } = projectileTypeOf(world, projectile);
  const ends =
    definition.destroyOnContactWith?.[contact.member] ??
    (hasConstantSpeed(world, projectile) && (contact.member === 'units' || contact.member === 'walls'));
  if (!ends) return;
  if (kind === Kind.unit) {
    const { damage, penetrates, hurtUnit } = world.components.projectile[row]!;
    if (penetrates) return;
    if (damage === undefined ? other === world.components.identity.owner[row] : other !== hurtUnit) return;
  }
  destroyEntity(game, projectile);
}
