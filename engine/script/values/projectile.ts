import { attributeValue } from '../../rules/entities/attribute.ts';
import { type Entity, EntityRef, Kind, noEntity, rowOf } from '../../world/entity.ts';
import { projectileTypeOf } from '../../world/types.ts';
import type { World } from '../../world/world.ts';
import { family, inertValue, type ValueRow, value } from '../op.ts';
import * as P from '../params.ts';
import { listOf } from './group.ts';
import { projectile, unit } from './operands.ts';
import { fromPayload, last, selected } from './trigger.ts';

function ofProjectile(
  returns: string,
  read: (projectile: Entity, row: number, world: World) => unknown,
  key = 'entity',
): ValueRow {
  return value({
    params: { [key]: projectile },
    returns,
    compile: (operands) => {
      const operand = operands[key]!;
      return (context) => {
        const of = operand(context);
        return of === noEntity ? undefined : read(of, rowOf(of), context.world);
      };
    },
  });
}

/** Projectiles and their types. */
export const projectileValues = family<ValueRow>('projectile', {
  getTriggeringProjectile: fromPayload('projectile', 'getTriggeringProjectile', 'projectile', (payload, world) =>
    world.ref(payload.projectile ?? noEntity),
  ),
  selectedProjectile: selected('projectile', (context) => context.selectedProjectile, 'getSelectedProjectile'),
  /** Of one that an item fired, only after its created triggers (reference: scripts#last-values). */
  getLastCreatedProjectile: last('createdProjectile', 'projectile'),
  getLastTouchedProjectile: last('touchedProjectile', 'projectile'),
  getLastOverlappingProjectile: inertValue(
    'No engine has events of overlapping; see getLastTouchedProjectile.',
    'projectile',
  ),
  getProjectileAttribute: value({
    params: { attribute: P.attribute, entity: projectile },
    returns: 'number',
    compile:
      ({ attribute: key, entity }) =>
      (context) => {
        const of = entity(context);
        const name = key(context);
        return of === noEntity || name === undefined ? undefined : attributeValue(context.world, of, name);
      },
  }),
  getProjectileTypeOfProjectile: value({
    params: { entity: P.named(P.any, 'projectile') },
    returns: 'projectile type',
    compile:
      ({ entity }) =>
      (context) => {
        const given = entity(context);
        const { world } = context;
        if (given instanceof EntityRef && given.kind === 'projectile' && world.remembers(given.entity)) {
          return projectileTypeOf(world, given.entity).key;
        }
        context.world.fault('no-such-entity', 'getProjectileTypeOfProjectile: `entity` is no projectile.');
        return undefined;
      },
  }),
  /** Gives back what it is given: editors wrap keys in it. */
  getProjectileType: value({
    params: { projectileType: P.named(P.any, 'projectile type', 'projectileType') },
    returns: 'projectile type',
    compile: ({ projectileType: type }) => type,
  }),
  getSourceUnitOfProjectile: ofProjectile('unit', (_of, row, world) =>
    world.ref(world.components.identity.owner[row]!),
  ),
  getSourceItemOfProjectile: ofProjectile('item', (_of, row, world) =>
    world.ref(world.components.projectile[row]!.sourceItem),
  ),
  /** A mark that the projectile has a body; scripts can do nothing else with it. */
  getProjectileBody: value({
    params: { projectile },
    returns: 'body',
    compile:
      ({ projectile: operand }) =>
      (context) => {
        const of = operand(context);
        return (of !== noEntity && context.game.physics.hasBody(of)) || undefined;
      },
  }),
  allProjectiles: value({
    params: {},
    returns: 'projectiles',
    compile: () => (context) => listOf(context, Kind.projectile),
  }),
  allProjectilesOfProjectileType: value({
    params: { projectileType: P.projectileType },
    returns: 'projectiles',
    compile:
      ({ projectileType: type }) =>
      (context) => {
        const { world } = context;
        const index = world.types.projectile.get(type(context) ?? '')?.index ?? -2;
        return listOf(context, Kind.projectile, (row) => world.components.identity.type[row] === index);
      },
  }),
  allProjectilesAttachedToUnit: inertValue('No engine keeps a list of what is attached.', 'projectiles', {
    entity: unit,
  }),
});
