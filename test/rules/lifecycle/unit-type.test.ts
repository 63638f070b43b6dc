import { describe, expect, test } from 'vitest';
import { Simulation } from '../../../engine/index.ts';
import { attributeRow, updateAttribute } from '../../../engine/rules/entities/attribute.ts';
import { readVariable, writeVariable } from '../../../engine/rules/entities/variable.ts';
import { tradeSlots } from '../../../engine/rules/items/inventory.ts';
import { changeUnitType } from '../../../engine/rules/lifecycle/unit-type.ts';
import { internalsOf } from '../../../engine/tools.ts';
import { noEntity, rowOf } from '../../../engine/world/entity.ts';
import { attribute, body, itemType, load, type Play, play, script, unitType } from '../../support/play.ts';
import { noting, trailOf, trailVariable } from '../../support/trail.ts';

function scene(): Play {
  const word = (text: string) => ({ dataType: 'string', default: text });
  return play({
    variables: trailVariable,
    unitTypes: {
      unit: unitType({
        attributes: { health: attribute(100, { max: 100 }), mana: attribute(7, { max: 9 }), speed: attribute(1) },
        variables: { mood: word('calm'), old: word('old') },
        scripts: { frame: noting('unit', 'frameTick') },
      }),
      elder: unitType({
        name: 'elder',
        attributes: { health: attribute(50, { max: 60 }), wisdom: attribute(3), speed: attribute(2) },
        variables: { mood: word('wise'), new: word('new') },
        scripts: { frame: noting('elder', 'frameTick') },
        bodies: { default: body({ width: 80, height: 60 }) },
      }),
    },
  });
}

const elder = (s: Play) => s.world.types.unit.get('elder')!;

test('a type change clamps attribute values to the new maximum', () => {
  const s = scene();
  const high = s.unit();
  const low = s.unit();
  updateAttribute(s.game, low, 'health', 20);
  for (const unit of [high, low]) changeUnitType(s.game, unit, elder(s));
  s.seconds(1);
  expect([s.attribute('u1', 'health'), s.attribute('u2', 'health')]).toEqual([60, 20]);
  expect([s.attribute('u1', 'wisdom'), s.attribute('u1', 'mana')]).toEqual([3, undefined]);
});

test('variables of both types keep their values, new ones start with their defaults', () => {
  const s = scene();
  const unit = s.unit();
  writeVariable(s.world, unit, 'mood', 'glad');
  changeUnitType(s.game, unit, elder(s));
  expect(['mood', 'new', 'old'].map((key) => readVariable(s.world, unit, key))).toEqual(['glad', 'new', undefined]);
});

describe('variables of a unit whose new type', () => {
  const mood = { mood: { dataType: 'string', default: 'calm' }, luck: { dataType: 'number', default: 1 } };
  const changed = (variables: unknown, dialect: 'standard' | 'moddio', shared: unknown = {}) => {
    const s = play(
      {
        entityTypeVariables: shared,
        unitTypes: { unit: unitType({ variables: mood }), ghost: unitType({ name: 'ghost', variables }) },
      },
      { dialect },
    );
    const unit = s.unit();
    writeVariable(s.world, unit, 'mood', 'glad');
    writeVariable(s.world, unit, 'luck', undefined);
    changeUnitType(s.game, unit, s.world.types.unit.get('ghost')!);
    return ['mood', 'luck'].map((key) => readVariable(s.world, unit, key));
  };

  test.each<[string, unknown, unknown[]]>([
    ['has no map of variables stay, and cleared ones have their default', undefined, ['glad', 1]],
    ['has null as its map of variables stay', null, ['glad', 1]],
    ['has an empty map of variables are removed', {}, [undefined, undefined]],
  ])('%s', (_name, variables, left) => {
    for (const dialect of ['standard', 'moddio'] as const) expect(changed(variables, dialect)).toEqual(left);
  });

  test('has only variables shared by all types are removed, in standard', () => {
    const shared = { wealth: { dataType: 'number', default: 3 } };
    expect(changed(undefined, 'standard', shared)).toEqual([undefined, undefined]);
    expect(changed(undefined, 'moddio', shared)).toEqual(['glad', 1]);
  });

  test('has no map of variables survive a snapshot', () => {
    const game = load({ unitTypes: { unit: unitType({ variables: mood }), ghost: unitType({ name: 'ghost' }) } });
    const sim = new Simulation(game);
    const unit = sim.edit.createUnit({ type: 'unit', x: 300, y: 300 });
    sim.edit.setType(unit, 'ghost');
    const { world } = internalsOf(Simulation.restore(game, sim.snapshot()));
    expect(readVariable(world, unit.entity, 'mood')).toBe('calm');
  });
});

test('a type change replaces scripts, body and size, and keeps owner, position and name', () => {
  const s = scene();
  const unit = s.unit({ x: 321 });
  const { owner } = s.world.components.identity;
  const { width, height, x } = s.world.components.transform;
  const row = rowOf(unit);
  const name = s.world.components.name[row];
  s.ticks(1);
  changeUnitType(s.game, unit, elder(s));
  s.ticks(1);
  expect(trailOf(s)).toBe('unit elder');
  expect([width[row], height[row], x[row], owner[row]]).toEqual([80, 60, 321, s.player(1)]);
  expect(s.world.components.name[row]).toBe(name);
});

describe('a type change during a type change', () => {
  const self = { function: 'thisEntity' };
  const carrier = { function: 'getOwnerOfItem', entity: self };
  const turns = (entity: unknown) => ({ type: 'changeUnitType', entity, unitType: 'bird' });
  const isElder = [
    { operator: '==', operandType: 'string' },
    { function: 'getUnitTypeOfUnit', entity: carrier },
    'elder',
  ];
  const ofUnit = script('entityStateChanged', [turns(self)]);
  const ofItem = script('entityStateChanged', [
    { type: 'condition', conditions: isElder, then: [turns(carrier)], else: [] },
  ]);
  const bonus = { passive: { unitAttribute: { health: { type: 'flat', value: 5 } } } };

  test.each([
    ['by scripts of the unit', { ofUnit }, {}],
    ['by scripts of its items', {}, { ofItem }],
  ])('%s applies the last type completely, and bonuses once', (_whose, elders, charms) => {
    const s = play({
      unitTypes: {
        unit: unitType(),
        elder: unitType({ backpackSize: 4, scripts: elders }),
        bird: unitType({ inventorySize: 1, ai: { enabled: true } }),
      },
      itemTypes: { charm: itemType({ bonus, scripts: charms }), stone: itemType() },
    });
    const unit = s.unit();
    const charm = s.give(unit, 'charm');
    s.give(unit, 'stone');
    changeUnitType(s.game, unit, elder(s));
    const { slots, heldItem } = s.world.components.inventory[rowOf(unit)]!;
    const ai = s.world.components.ai[rowOf(unit)];
    expect(s.world.types.unit.list[s.world.components.identity.type[rowOf(unit)]!]!.key).toBe('bird');
    expect(slots).toEqual([charm, ...Array.from({ length: tradeSlots }, () => noEntity)]);
    expect([heldItem, s.stateKey(charm)]).toEqual([charm, 'selected']);
    expect(s.world.attributes.max[attributeRow(s.world, unit, 'health')]).toBe(105);
    expect(ai?.unitType).toBe(s.world.components.identity.type[rowOf(unit)]);
    expect(s.faults()).toEqual([]);
  });
});

test.each([
  ['has no slot for', { inventorySize: 1 }, {}],
  ['may not carry', {}, { carriedBy: ['unit'] }],
])('an item that the new type %s removes only its own bonus', (_what, more, limited) => {
  const bonus = { passive: { unitAttribute: { health: { type: 'flat', value: 5 } } } };
  const s = play({
    unitTypes: { unit: unitType(), elder: unitType(more) },
    itemTypes: { charm: itemType({ bonus }), hat: itemType({ bonus, ...limited }) },
  });
  const unit = s.unit();
  const charm = s.give(unit, 'charm');
  s.give(unit, 'hat');
  changeUnitType(s.game, unit, elder(s));
  expect(s.slots(unit).replaceAll(' .', '')).toBe(s.id(charm));
  expect(s.world.attributes.max[attributeRow(s.world, unit, 'health')]).toBe(105);
});

test.each(['standard', 'moddio'] as const)(
  'a unit that changes to a type with fixed rotation faces up, in %s',
  (dialect) => {
    const unitTypes = {
      unit: unitType({ bodies: { default: body({ fixedRotation: false }) } }),
      statue: unitType({ name: 'statue', bodies: { default: body({ fixedRotation: true }) } }),
    };
    const s = play({ unitTypes }, { dialect });
    const unit = s.unit();
    s.ticks(2);
    s.game.physics.turnTo(unit, 1.5);
    s.ticks(1);
    expect(s.world.components.transform.angle[rowOf(unit)]).toBeCloseTo(1.5, 9);
    changeUnitType(s.game, unit, s.world.types.unit.get('statue')!);
    expect(s.world.components.transform.angle[rowOf(unit)]).toBe(0);
    s.ticks(2);
    expect(s.game.physics.bodyAngle(unit)).toBe(0);
  },
);

test.each(['standard', 'moddio'] as const)(
  'a unit uses the movement method of its new type at once, in %s',
  (dialect) => {
    const walker = (movementMethod: string) =>
      unitType({ controls: { movementControlScheme: 'wasd', movementMethod, abilities: {}, mouseBehaviour: {} } });
    const unitTypes = { unit: walker('velocity'), cart: walker('force'), stone: unitType({ controls: null }) };
    const s = play({ unitTypes }, { dialect });
    const { method } = s.world.components.velocity;
    const unit = s.unit();
    changeUnitType(s.game, unit, s.world.types.unit.get('cart')!);
    expect(method[rowOf(unit)]).toBe(2);
    changeUnitType(s.game, unit, s.world.types.unit.get('unit')!);
    expect(method[rowOf(unit)]).toBe(1);
    changeUnitType(s.game, unit, s.world.types.unit.get('stone')!);
    expect(method[rowOf(unit)]).toBe(0);
  },
);
