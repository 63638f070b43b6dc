import { existing, reads } from '../../rules/effects.ts';
import { attributeValue } from '../../rules/entities/attribute.ts';
import { EntityRef, Kind, noEntity } from '../../world/entity.ts';
import { projectileTypeOf } from '../../world/types.ts';
import { compiledValue, family, inertValue, type ValueRow, value } from '../op.ts';
import * as P from '../params.ts';
import { all, listOf } from './group.ts';
import { givenBack, projectile, unit } from './operands.ts';
import { hasBody, propertyOf } from './property.ts';
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
  /** Only the engines of 2022 record this projectile. */
  getLastTouchedProjectile: {
    ...touchedProjectile,
    compile: (operands, compiler, node) =>
      compiler.dialect.nonReferenceOperationsWork
        ? touchedProjectile.compile(operands, compiler, node)
        : () => undefined,
  },
  getLastOverlappingProjectile: inertValue(
    'Always undefined. The function was meant to return the projectile that was overlapped last.',
    'No engine detects that entities overlap; use getLastTouchedProjectile.',
    'projectile',
  ),
  getProjectileAttribute: compiledValue(
    'The value of an attribute of a projectile.',
    { attribute: P.attribute, entity: projectile },
    'number',
    ({ attribute: key, entity }) =>
      (context) => {
        const of = entity(context);
        const name = key(context);
        return of === noEntity || name === undefined ? undefined : attributeValue(context.world, of, name);
      },
    reads('attribute', 'entity', { key: 'attribute' }),
  ),
  getProjectileTypeOfProjectile: value(
    'The type of a projectile.',
    { entity: P.named(P.any, 'projectile') },
    'projectile type',
    (given, context) => {
      if (given instanceof EntityRef && given.kind === 'projectile' && context.world.remembers(given.entity)) {
        return projectileTypeOf(context.world, given.entity).key;
      }
      context.world.fault('no-such-entity', 'getProjectileTypeOfProjectile: `entity` is not a projectile.');
      return undefined;
    },
    reads('type', 'entity'),
  ),
  getProjectileType: givenBack('The projectile type with a key given literally.', 'projectile type', 'projectileType'),
  getSourceUnitOfProjectile: ofProjectile(
    'The unit that fired a projectile.',
    'unit',
    (_of, row, { world }) => world.ref(world.components.identity.owner[row]!),
    reads('owner', 'entity'),
  ),
  getSourceItemOfProjectile: ofProjectile(
    'The item that fired a projectile.',
    'item',
    (_of, row, { world }) => world.ref(world.components.projectile[row]!.sourceItem),
    reads('source', 'entity'),
  ),
  getProjectileBody: ofProjectile(
    'The body of a projectile, as defined by its type.',
    'body',
    hasBody,
    reads('state', 'projectile'),
  ),
  allProjectiles: all('All projectiles.', 'projectile', 'projectiles'),
  allProjectilesOfProjectileType: value(
    'All projectiles of a given type.',
    { projectileType: P.projectileType },
    'projectiles',
    (given, context) => {
      const { world } = context;
      const index = world.types.projectile.get(given ?? '')?.index ?? -2;
      return listOf(context, Kind.projectile, (row) => world.components.identity.type[row] === index);
    },
    existing('projectile', 'projectileType'),
  ),
  allProjectilesAttachedToUnit: inertValue(
    'Always undefined. The function was meant to return the projectiles that are attached to a unit.',
    'No engine has a list of attached entities.',
    'projectiles',
    {
      entity: unit,
    },
  ),
});
