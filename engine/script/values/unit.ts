import type { InventoryState } from '../../components/inventory.ts';
import { reads } from '../../rules/effects.ts';
import { describedUnit } from '../../rules/players/described-data.ts';
import { typeKey } from '../../rules/types/type-key.ts';
import { EntityRef, Kind, noEntity, rowOf } from '../../world/entity.ts';
import { unitTypeOf } from '../../world/types.ts';
import { type About, family, inertValue, reading, type ValueRow, value } from '../op.ts';
import * as P from '../params.ts';
import type { ScriptContext } from '../running/context.ts';
import { toJson } from '../running/json.ts';
import { nameOfAny } from './entity.ts';
import { entityOrPlayer, requiredEntity, sensor, unit } from './operands.ts';
import { propertyOf } from './property.ts';

const ofUnit = propertyOf(unit, 'unit');

function stateOf(context: ScriptContext, row: number): InventoryState {
  return context.world.components.inventory[row]!;
}

/** A property of a unit type in the definition. */
function ofUnitType(about: About, returns: string, read: (key: string, context: ScriptContext) => unknown): ValueRow {
  return value({
    about,
    params: { unitType: P.unitType },
    returns,
    get: (key, context) => (key === undefined ? undefined : read(key, context)),
  });
}

/** Units: their owner, type and state. */
export const unitValues = family<ValueRow>('unit', {
  getOwner: value({
    about: 'The player who owns a unit.',
    reads: [reads('owner', 'entity')],
    params: { entity: unit },
    returns: 'player',
    get: (of, context) => {
      const { world } = context;
      // The owner may have left the game: it still owns its units (reference: units#ownership).
      return of === noEntity ? undefined : world.handle(world.components.identity.owner[rowOf(of)]!);
    },
  }),
  /** Works for anything that has a name (reference: operations#entityname). */
  nameOfUnit: value({
    about: 'The name of a unit or player.',
    reads: [reads('name', 'unit')],
    params: { unit: entityOrPlayer },
    returns: 'string',
    get: (of, context) => (of === noEntity ? undefined : nameOfAny(context.world, of)),
  }),
  /** If the operand is a key instead of a unit, the key is returned. */
  getUnitTypeOfUnit: value({
    about: 'The type of a unit.',
    reads: [reads('type', 'entity')],
    params: { entity: P.named(P.any, 'unit') },
    returns: 'unit type',
    get: (given, context) => {
      if (!(given instanceof EntityRef)) return typeof given === 'string' ? given : undefined;
      const { world } = context;
      if (given.kind !== 'unit' || !world.remembers(given.entity)) return undefined;
      return typeKey(world, given.entity);
    },
  }),
  /** Returns its operand: editors wrap keys in this function. */
  getUnitType: value({
    about: 'The key of a unit type, given literally.',
    params: { unitType: P.named(P.any, 'unit type', 'unitType') },
    returns: 'unit type',
    compile: ({ unitType: type }) => type,
  }),
  getUnitTypeName: ofUnitType(
    'The name of a unit type.',
    'string',
    (key, { game }) => game.definition.unitTypes.get(key)?.name,
  ),
  unitTypeWidth: ofUnitType(
    'The width of the body of a unit type.',
    'number',
    (key, { game }) => game.definition.unitTypes.get(key)?.bodies.get('default')?.width,
  ),
  unitTypeHeight: ofUnitType(
    'The height of the body of a unit type.',
    'number',
    (key, { game }) => game.definition.unitTypes.get(key)?.bodies.get('default')?.height,
  ),
  getRotateSpeed: ofUnitType(
    'The rotation speed of the body of a unit type.',
    'number',
    (key, { game }) => game.definition.unitTypes.get(key)?.bodies.get('default')?.rotationSpeed || undefined,
  ),
  /** Whether the unit moves by itself; a unit that is only pushed does not count. */
  isUnitMoving: value({
    about: 'Whether a unit is moving.',
    reads: [reads('direction', 'unit')],
    params: { unit: entityOrPlayer },
    returns: 'boolean',
    get: (operand, context) => {
      const of = requiredEntity(operand, 'isUnitMoving', 'unit');
      const { kind } = context.world.components.identity;
      const { moving } = context.world.components.movement;
      const row = rowOf(of);
      return kind[row] === Kind.unit ? moving[row] === 1 : undefined;
    },
  }),
  isAIEnabled: reading(
    ofUnit('Whether the AI of a unit is enabled.', 'boolean', (unit, row, context) =>
      unitTypeOf(context.world, unit).definition.ai === undefined
        ? undefined
        : context.world.components.ai[row]?.enabled === true,
    ),
    reads('aiEnabled', 'unit'),
  ),
  targetUnit: reading(
    ofUnit('The unit that the AI of a unit attacks.', 'unit', (_unit, row, context) =>
      context.world.ref(context.world.components.ai[row]?.target ?? noEntity),
    ),
    reads('ai', 'unit'),
  ),
  /** The radius is in px; for a unit without a sensor, it is that of its type. */
  unitSensorRadius: reading(
    ofUnit('The radius of the sensor of a unit.', 'number', (unit, row, context) => {
      const { world } = context;
      const { sensor: own, radius } = world.components.sensing;
      return world.exists(own[row]!) ? radius[row] : unitTypeOf(world, unit).definition.ai?.sensorRadius;
    }),
    reads('sensorRadius', 'unit'),
  ),
  getSensorOfUnit: reading(
    ofUnit('The sensor of a unit.', 'sensor', (_unit, row, context) => {
      const { world } = context;
      return world.ref(world.components.sensing.sensor[row]!);
    }),
    reads('sensorRadius', 'unit'),
  ),
  ownerUnitOfSensor: value({
    about: 'The unit of a sensor.',
    reads: [reads('owner', 'sensor')],
    params: { sensor },
    returns: 'unit',
    get: (of, context) => {
      const { world } = context;
      return of === noEntity ? undefined : world.ref(world.components.identity.owner[rowOf(of)]!);
    },
  }),
  /** Returns true if the unit has a body, because scripts can do nothing else with a body. */
  getUnitBody: reading(
    ofUnit(
      'The body of a unit, as defined by its type.',
      'body',
      (of, _row, context) => context.game.physics.hasBody(of) || undefined,
    ),
    reads('state', 'unit'),
  ),
  /** The saved data of the unit, including its items, as JSON. */
  getUnitData: value({
    about: 'Attributes, variables and items of a unit as a string for `loadUnitDataFromString`.',
    reads: [reads('attribute', 'unit'), reads('variable', 'unit'), reads('items', 'unit')],
    params: { unit },
    returns: 'string',
    get: (operand, context) =>
      toJson(context, describedUnit(context.game, requiredEntity(operand, 'getUnitData', 'unit'))),
  }),
  selectedInventorySlot: reading(
    ofUnit(
      'The selected inventory slot of a unit, counted from 1.',
      'number',
      (_unit, row, context) => stateOf(context, row).currentSlot + 1,
    ),
    reads('slot', 'unit'),
  ),
  /** Returns the key if the unit's type has these particles. */
  getUnitParticle: value({
    about: 'A particle type of a unit.',
    reads: [reads('type', 'entity')],
    params: { particleType: P.particle, entity: unit },
    returns: 'particle type',
    compile:
      ({ particleType, entity: operand }) =>
      (context) => {
        const key = particleType(context);
        const of = operand(context);
        if (key === undefined || of === noEntity) return undefined;
        return unitTypeOf(context.world, of).definition.particles.has(key) ? key : undefined;
      },
  }),

  allUnitsAttachedToUnit: inertValue(
    'Always undefined: meant to return the units that are attached to a unit.',
    'No engine keeps a list of attached entities.',
    'units',
    { entity: unit },
  ),
  allUnitsMountedOnUnit: inertValue(
    'Always undefined: meant to return the units that ride on a unit.',
    'No engine has mounts.',
    'units',
    {
      entity: unit,
    },
  ),
});
