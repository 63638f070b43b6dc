import type { UnitType } from '../../definition/unit.ts';
import { reads } from '../../rules/effects.ts';
import { describedUnit } from '../../rules/players/described-data.ts';
import { typeKey } from '../../rules/types/type-key.ts';
import { EntityRef, Kind, noEntity, rowOf } from '../../world/entity.ts';
import { unitTypeOf } from '../../world/types.ts';
import { type About, family, inertValue, type ValueRow, value } from '../op.ts';
import * as P from '../params.ts';
import { toJson } from '../running/json.ts';
import { nameOfEntity } from './entity.ts';
import { entityOrPlayer, givenBack, particleOf, requiredEntity, sensor, unit } from './operands.ts';
import { hasBody, propertyOf } from './property.ts';

const ofUnit = propertyOf(unit, 'unit');
const ofSensor = propertyOf(sensor, 'sensor');

/** A property of a unit type in the definition. */
function ofUnitType(about: About, returns: string, read: (type: UnitType) => unknown): ValueRow {
  return value(about, { unitType: P.unitType }, returns, (key, { game }) => {
    const type = game.definition.unitTypes.get(key ?? '');
    return type && read(type);
  });
}

/** Units: their owner, type and state. */
export const unitValues = family<ValueRow>('unit', {
  /** The owner may have left the game: a player who has left still owns its units (reference: units#ownership). */
  getOwner: ofUnit(
    'The player who owns a unit.',
    'player',
    (_unit, row, { world }) => world.handle(world.components.identity.owner[row]!),
    reads('owner', 'entity'),
  ),
  /** The function works for anything that has a name (reference: operations#entityname). */
  nameOfUnit: nameOfEntity('The name of a unit or player.', 'unit'),
  /** If the operand is a key instead of a unit, the key is returned. */
  getUnitTypeOfUnit: value(
    'The type of a unit.',
    { entity: P.named(P.any, 'unit') },
    'unit type',
    (given, context) => {
      if (!(given instanceof EntityRef)) return typeof given === 'string' ? given : undefined;
      if (given.kind !== 'unit' || !context.world.remembers(given.entity)) return undefined;
      return typeKey(context.world, given.entity);
    },
    reads('type', 'entity'),
  ),
  getUnitType: givenBack('The unit type with a key given literally.', 'unit type', 'unitType'),
  getUnitTypeName: ofUnitType('The name of a unit type.', 'string', ({ name }) => name),
  unitTypeWidth: ofUnitType(
    'The width of the body of a unit type.',
    'number',
    ({ bodies }) => bodies.get('default')?.width,
  ),
  unitTypeHeight: ofUnitType(
    'The height of the body of a unit type.',
    'number',
    ({ bodies }) => bodies.get('default')?.height,
  ),
  getRotateSpeed: ofUnitType(
    'The rotation speed of the body of a unit type.',
    'number',
    ({ bodies }) => bodies.get('default')?.rotationSpeed || undefined,
  ),
  /** Whether the unit moves by itself; a unit that is only pushed does not count. */
  isUnitMoving: value(
    'Whether a unit is moving.',
    { unit: entityOrPlayer },
    'boolean',
    (operand, context) => {
      const of = requiredEntity(operand, 'isUnitMoving', 'unit');
      const { kind } = context.world.components.identity;
      const { moving } = context.world.components.movement;
      const row = rowOf(of);
      return kind[row] === Kind.unit ? moving[row] === 1 : undefined;
    },
    reads('direction', 'unit'),
  ),
  isAIEnabled: ofUnit(
    'Whether the AI of a unit is enabled.',
    'boolean',
    (unit, row, { world }) =>
      unitTypeOf(world, unit).definition.ai === undefined ? undefined : world.components.ai[row]?.enabled === true,
    reads('aiEnabled', 'unit'),
  ),
  targetUnit: ofUnit(
    'The unit that the AI of a unit attacks.',
    'unit',
    (_unit, row, { world }) => world.ref(world.components.ai[row]?.target ?? noEntity),
    reads('ai', 'unit'),
  ),
  /** The radius is in px. For a unit without a sensor, it is the radius that the unit's type declares. */
  unitSensorRadius: ofUnit(
    'The radius of the sensor of a unit.',
    'number',
    (unit, row, { world }) => {
      const { sensor: own, radius } = world.components.sensing;
      return world.exists(own[row]!) ? radius[row] : unitTypeOf(world, unit).definition.ai?.sensorRadius;
    },
    reads('sensorRadius', 'unit'),
  ),
  getSensorOfUnit: ofUnit(
    'The sensor of a unit.',
    'sensor',
    (_unit, row, { world }) => world.ref(world.components.sensing.sensor[row]!),
    reads('sensorRadius', 'unit'),
  ),
  ownerUnitOfSensor: ofSensor(
    'The unit of a sensor.',
    'unit',
    (_sensor, row, { world }) => world.ref(world.components.identity.owner[row]!),
    reads('owner', 'sensor'),
  ),
  getUnitBody: ofUnit('The body of a unit, as defined by its type.', 'body', hasBody, reads('state', 'unit')),
  /**
   * The value is the data that a save of the unit would contain, including its items, as JSON. In the reference, it
   * also contains further fields of the definitions of attributes and variables.
   */
  getUnitData: value(
    'Attributes, variables and items of a unit as a string for `loadUnitDataFromString`.',
    { unit },
    'string',
    (operand, context) => toJson(context, describedUnit(context.game, requiredEntity(operand, 'getUnitData', 'unit'))),
    reads('attribute', 'unit'),
    reads('variable', 'unit'),
    reads('items', 'unit'),
  ),
  selectedInventorySlot: ofUnit(
    'The selected inventory slot of a unit, counted from 1.',
    'number',
    (_unit, row, { world }) => world.components.inventory[row]!.currentSlot + 1,
    reads('slot', 'unit'),
  ),
  getUnitParticle: particleOf(
    'The given particle type if the type of the unit has it, otherwise undefined.',
    unit,
    unitTypeOf,
  ),

  allUnitsAttachedToUnit: inertValue(
    'Always undefined. The function was meant to return the units that are attached to a unit.',
    'No engine has a list of attached entities.',
    'units',
    { entity: unit },
  ),
  allUnitsMountedOnUnit: inertValue(
    'Always undefined. The function was meant to return the units that ride on a unit.',
    'No engine has mounts.',
    'units',
    {
      entity: unit,
    },
  ),
});
