import { unitData } from '../../game/persistence.ts';
import { type Entity, EntityRef, Kind, noEntity, rowOf } from '../../world/entity.ts';
import type { UnitState } from '../../world/state.ts';
import type { Frame } from '../frame.ts';
import { toJson } from '../json.ts';
import { family, inertValue, type ValueRow, value } from '../op.ts';
import * as P from '../params.ts';
import { nameOf } from './entity.ts';
import { demanded, entityOrPlayer, sensor, unit } from './operands.ts';

function ofUnit(returns: string, read: (unit: Entity, row: number, frame: Frame) => unknown, key = 'unit'): ValueRow {
  return value({
    params: { [key]: unit },
    returns,
    compile: (operands) => {
      const operand = operands[key]!;
      return (frame) => {
        const of = operand(frame);
        return of === noEntity ? undefined : read(of, rowOf(of), frame);
      };
    },
  });
}

function stateOf(frame: Frame, row: number): UnitState {
  return frame.game.world.units[row]!;
}

/** Something the definition says of a unit type. */
function ofUnitType(returns: string, read: (key: string, frame: Frame) => unknown): ValueRow {
  return value({
    params: { unitType: P.unitType },
    returns,
    compile:
      ({ unitType: type }) =>
      (frame) => {
        const key = type(frame);
        return key === undefined ? undefined : read(key, frame);
      },
  });
}

function typeOf(frame: Frame, row: number) {
  const { world } = frame.game;
  return world.types.unit.list[world.columns.type[row]!]!;
}

/** Units: whose they are, what they are, what they do. */
export const unitValues = family<ValueRow>('unit', {
  getOwner: value({
    params: { entity: unit },
    returns: 'player',
    compile:
      ({ entity: operand }) =>
      (frame) => {
        const { world } = frame.game;
        const of = operand(frame);
        // Also a player that has left: its unit goes on being its (reference: units#ownership).
        return of === noEntity ? undefined : world.handle(world.columns.owner[rowOf(of)]!);
      },
  }),
  /** Of whatever has a name (reference: operations#entityname). */
  nameOfUnit: value({
    params: { unit: entityOrPlayer },
    returns: 'string',
    compile:
      ({ unit: operand }) =>
      (frame) => {
        const of = operand(frame);
        return of === noEntity ? undefined : nameOf(frame.game.world, of);
      },
  }),
  /** A key in the place of a unit comes back as it is. */
  getUnitTypeOfUnit: value({
    params: { entity: P.named(P.any, 'unit') },
    returns: 'unit type',
    compile:
      ({ entity: operand }) =>
      (frame) => {
        const given = operand(frame);
        if (!(given instanceof EntityRef)) return typeof given === 'string' ? given : undefined;
        const { world } = frame.game;
        const row = rowOf(given.entity);
        if (given.kind !== 'unit' || !world.remembers(given.entity)) return undefined;
        return world.types.unit.list[world.columns.type[row]!]!.key;
      },
  }),
  /** Gives back what it is given: editors wrap keys in it. */
  getUnitType: value({
    params: { unitType: P.named(P.any, 'unit type', 'unitType') },
    returns: 'unit type',
    compile: ({ unitType: type }) => type,
  }),
  getUnitTypeName: ofUnitType('string', (key, { game }) => game.definition.unitTypes.get(key)?.name),
  unitTypeWidth: ofUnitType(
    'number',
    (key, { game }) => game.definition.unitTypes.get(key)?.bodies.get('default')?.width,
  ),
  unitTypeHeight: ofUnitType(
    'number',
    (key, { game }) => game.definition.unitTypes.get(key)?.bodies.get('default')?.height,
  ),
  getRotateSpeed: ofUnitType(
    'number',
    (key, { game }) => game.definition.unitTypes.get(key)?.bodies.get('default')?.rotationSpeed || undefined,
  ),
  /** Whether it means to move; a unit that is pushed does not. */
  isUnitMoving: value({
    params: { unit: entityOrPlayer },
    returns: 'boolean',
    compile:
      ({ unit: operand }) =>
      (frame) => {
        const of = demanded(operand(frame), 'isUnitMoving', 'unit');
        const { kind, moving } = frame.game.world.columns;
        const row = rowOf(of);
        return kind[row] === Kind.unit ? moving[row] === 1 : undefined;
      },
  }),
  isAIEnabled: ofUnit('boolean', (_unit, row, frame) =>
    typeOf(frame, row).definition.ai === undefined ? undefined : frame.game.world.columns.ai[row] === 1,
  ),
  targetUnit: ofUnit('unit', (_unit, row, frame) => frame.game.world.ref(stateOf(frame, row).ai?.target ?? noEntity)),
  /** px; of a unit without a sensor what its type says. */
  unitSensorRadius: ofUnit('number', (_unit, row, frame) => {
    const { world } = frame.game;
    const { sensor: own, sensorRadius } = stateOf(frame, row);
    return world.exists(own) ? sensorRadius : typeOf(frame, row).definition.ai?.sensorRadius;
  }),
  getSensorOfUnit: ofUnit('sensor', (_unit, row, frame) => frame.game.world.ref(stateOf(frame, row).sensor)),
  ownerUnitOfSensor: value({
    params: { sensor },
    returns: 'unit',
    compile:
      ({ sensor: operand }) =>
      (frame) => {
        const { world } = frame.game;
        const of = operand(frame);
        return of === noEntity ? undefined : world.ref(world.columns.owner[rowOf(of)]!);
      },
  }),
  /** A mark that the unit has a body; scripts can do nothing else with it. */
  getUnitBody: ofUnit('body', (of, _row, frame) => frame.game.physics.hasBody(of) || undefined),
  /** What would be saved of the unit, its items included, as JSON. */
  getUnitData: value({
    params: { unit },
    returns: 'string',
    compile:
      ({ unit: operand }) =>
      (frame) =>
        toJson(frame, unitData(frame.game, demanded(operand(frame), 'getUnitData', 'unit'))),
  }),
  /** Counted from 1. */
  selectedInventorySlot: ofUnit('number', (_unit, row, frame) => stateOf(frame, row).currentSlot + 1),
  /** The key, where the unit's type has the particles. */
  getUnitParticle: value({
    params: { particleType: P.particle, entity: unit },
    returns: 'particle type',
    compile:
      ({ particleType, entity: operand }) =>
      (frame) => {
        const key = particleType(frame);
        const of = operand(frame);
        if (key === undefined || of === noEntity) return undefined;
        return typeOf(frame, rowOf(of)).definition.particles.has(key) ? key : undefined;
      },
  }),

  allUnitsAttachedToUnit: inertValue('No engine keeps a list of what is attached.', 'units', { entity: unit }),
  allUnitsMountedOnUnit: inertValue('No engine lets units mount units.', 'units', { entity: unit }),
});
