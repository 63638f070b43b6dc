import { existing, reads } from '../../rules/effects.ts';
import { attributeValue } from '../../rules/entities/attribute.ts';
import { EntityRef, Kind, noEntity } from '../../world/entity.ts';
import { projectileTypeOf } from '../../world/types.ts';
import { family, inertValue, reading, type ValueRow, value } from '../op.ts';
import * as P from '../params.ts';
import { listOf } from './group.ts';
import { projectile, unit } from './operands.ts';
import { propertyOf } from './property.ts';
import { fromPayload, last, selected } from './trigger.ts';

const ofProjectile = propertyOf(projectile, 'entity');

const touchedProjectile = last('The projectile that was touched last.', 'touchedProjectile', 'projectile');

/** Projectiles and their types. */
export const projectileValues = family<ValueRow>('projectile', {
  getTriggeringProjectile: fromPayload('The projectile that the trigger provides.', 'projectile'),
  selectedProjectile: selected(
    'The current projectile of a loop over projectiles.',
    'projectile',
    (context) => context.selectedProjectile,
    'getSelectedProjectile',
  ),
  /**
   * For a projectile that an item fires, the value is set only after its created triggers (reference:
   * scripts#last-values).
   */
  getLastCreatedProjectile: last('The projectile that was created last.', 'createdProjectile', 'projectile'),
  /** Only the engines of 2022 set this projectile. */
  getLastTouchedProjectile: {
    ...touchedProjectile,
    compile: (operands, compiler, node) =>
      compiler.dialect.nonReferenceOperationsWork
        ? touchedProjectile.compile(operands, compiler, node)
        : () => undefined,
  },
  getLastOverlappingProjectile: inertValue(
    'Always undefined: meant to return the projectile that was overlapped last.',
    'No engine has events for overlapping; see getLastTouchedProjectile.',
    'projectile',
  ),
  getProjectileAttribute: value({
    about: 'The value of an attribute of a projectile.',
    reads: [reads('attribute', 'entity', { key: 'attribute' })],
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
    about: 'The type of a projectile.',
    reads: [reads('type', 'entity')],
    params: { entity: P.named(P.any, 'projectile') },
    returns: 'projectile type',
    get: (given, context) => {
      const { world } = context;
      if (given instanceof EntityRef && given.kind === 'projectile' && world.remembers(given.entity)) {
        return projectileTypeOf(world, given.entity).key;
      }
      context.world.fault('no-such-entity', 'getProjectileTypeOfProjectile: `entity` is not a projectile.');
      return undefined;
    },
  }),
  /** Returns its operand: editors wrap keys in this function. */
  getProjectileType: value({
    about: 'The key of a projectile type, given literally.',
    params: { projectileType: P.named(P.any, 'projectile type', 'projectileType') },
    returns: 'projectile type',
    compile: ({ projectileType: type }) => type,
  }),
  getSourceUnitOfProjectile: reading(
    ofProjectile('The unit that fired a projectile.', 'unit', (_of, row, { world }) =>
      world.ref(world.components.identity.owner[row]!),
    ),
    reads('owner', 'entity'),
  ),
  getSourceItemOfProjectile: reading(
    ofProjectile('The item that fired a projectile.', 'item', (_of, row, { world }) =>
      world.ref(world.components.projectile[row]!.sourceItem),
    ),
    reads('source', 'entity'),
  ),
  /** Returns true if the projectile has a body, because scripts can do nothing else with a body. */
  getProjectileBody: value({
    about: 'The body of a projectile, as defined by its type.',
    reads: [reads('state', 'projectile')],
    params: { projectile },
    returns: 'body',
    get: (of, context) => (of !== noEntity && context.game.physics.hasBody(of)) || undefined,
  }),
  allProjectiles: value({
    about: 'All projectiles.',
    reads: [existing('projectile')],
    params: {},
    returns: 'projectiles',
    compile: () => (context) => listOf(context, Kind.projectile),
  }),
  allProjectilesOfProjectileType: value({
    about: 'All projectiles of a type.',
    reads: [existing('projectile', 'projectileType')],
    params: { projectileType: P.projectileType },
    returns: 'projectiles',
    get: (given, context) => {
      const { world } = context;
      const index = world.types.projectile.get(given ?? '')?.index ?? -2;
      return listOf(context, Kind.projectile, (row) => world.components.identity.type[row] === index);
    },
  }),
  allProjectilesAttachedToUnit: inertValue(
    'Always undefined: meant to return the projectiles that are attached to a unit.',
    'No engine keeps a list of attached entities.',
    'projectiles',
    {
      entity: unit,
    },
  ),
});
