import { attributeValue } from '../../game/attribute.ts';
import { type Entity, EntityRef, Kind, noEntity, rowOf } from '../../world/entity.ts';
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
      return (frame) => {
        const of = operand(frame);
        return of === noEntity ? undefined : read(of, rowOf(of), frame.game.world);
      };
    },
  });
}

/** Projectiles and their types. */
export const projectileValues = family<ValueRow>('projectile', {
  getTriggeringProjectile: fromPayload('projectile', 'getTriggeringProjectile', 'projectile', (payload, world) =>
    world.ref(payload.projectile ?? noEntity),
  ),
  selectedProjectile: selected('projectile', (frame) => frame.selectedProjectile, 'getSelectedProjectile'),
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
      (frame) => {
        const of = entity(frame);
        const name = key(frame);
        return of === noEntity || name === undefined ? undefined : attributeValue(frame.game.world, of, name);
      },
  }),
  getProjectileTypeOfProjectile: value({
    params: { entity: P.named(P.any, 'projectile') },
    returns: 'projectile type',
    compile:
      ({ entity }) =>
      (frame) => {
        const given = entity(frame);
        const { world } = frame.game;
        if (given instanceof EntityRef && given.kind === 'projectile' && world.remembers(given.entity)) {
          return world.types.projectile.list[world.columns.type[rowOf(given.entity)]!]!.key;
        }
        frame.fault('no-such-entity', 'getProjectileTypeOfProjectile: `entity` is no projectile.');
        return undefined;
      },
  }),
  /** Gives back what it is given: editors wrap keys in it. */
  getProjectileType: value({
    params: { projectileType: P.named(P.any, 'projectile type', 'projectileType') },
    returns: 'projectile type',
    compile: ({ projectileType: type }) => type,
  }),
  getSourceUnitOfProjectile: ofProjectile('unit', (_of, row, world) => world.ref(world.columns.owner[row]!)),
  getSourceItemOfProjectile: ofProjectile('item', (_of, row, world) => world.ref(world.projectiles[row]!.sourceItem)),
  /** A mark that the projectile has a body; scripts can do nothing else with it. */
  getProjectileBody: value({
    params: { projectile },
    returns: 'body',
    compile:
      ({ projectile: operand }) =>
      (frame) => {
        const of = operand(frame);
        return (of !== noEntity && frame.game.physics.hasBody(of)) || undefined;
      },
  }),
  allProjectiles: value({
    params: {},
    returns: 'projectiles',
    compile: () => (frame) => listOf(frame, Kind.projectile),
  }),
  allProjectilesOfProjectileType: value({
    params: { projectileType: P.projectileType },
    returns: 'projectiles',
    compile:
      ({ projectileType: type }) =>
      (frame) => {
        const { world } = frame.game;
        const index = world.types.projectile.get(type(frame) ?? '')?.index ?? -2;
        return listOf(frame, Kind.projectile, (row) => world.columns.type[row] === index);
      },
  }),
  allProjectilesAttachedToUnit: inertValue('No engine keeps a list of what is attached.', 'projectiles', {
    entity: unit,
  }),
});
