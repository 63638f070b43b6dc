import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { destroyEntity } from '../../../engine/rules/entities/destroy.ts';
import { writeGlobal } from '../../../engine/rules/entities/variable.ts';
import type { Entity } from '../../../engine/world/entity.ts';
import { Kind, rowOf } from '../../../engine/world/entity.ts';
import { setVariable } from '../../support/actions.ts';
import { itemType, type Play, play, script, unitType } from '../../support/play.ts';
import { runs } from '../../support/property.ts';
import { noting, own, trailOf, trailVariable } from '../../support/trail.ts';

const thisEntity = { function: 'thisEntity' };
const end = { type: 'destroyEntity', entity: thisEntity };
const dying = { end: noting(own('end'), 'initEntityDestroy') };

function scene(unit: Record<string, unknown> = {}): Play {
  return play({
    variables: trailVariable,
    unitTypes: { unit: unitType({ scripts: dying, ...unit }) },
    itemTypes: { sword: itemType({ scripts: dying }) },
  });
}

test('an entity is destroyed once, however often it is requested', () => {
  const s = scene({ scripts: { ...dying, again: script('initEntityDestroy', [end]) } });
  const unit = s.unit();
  destroyEntity(s.game, unit);
  destroyEntity(s.game, unit);
  s.ticks(3);
  expect(trailOf(s)).toBe('u1:end');
  expect(s.world.exists(unit)).toBe(false);
});

test('an entity destroyed by two contacts of one step is destroyed once', () => {
  const s = scene({ scripts: { ...dying, touch: script('entityTouchesUnit', [end]) } });
  for (const x of [500, 510, 520]) s.unit({ x });
  s.ticks(3);
  expect(trailOf(s).split(' ').sort()).toEqual(['u1:end', 'u2:end', 'u3:end']);
  expect(s.sim.entities('unit')).toEqual([]);
});

describe('the end of a life span', () => {
  test('removes a unit from its owner and destroys the items it carries', () => {
    const s = scene();
    const player = s.player(1);
    const unit = s.unit({ owner: player });
    s.give(unit, 'sword');
    s.world.components.lifespan.deathTimeMs[rowOf(unit)] = 200;
    s.ticks(3);
    expect(s.world.components.ownedUnits[rowOf(player)]!.units).toEqual([unit]);
    s.ticks(3);
    expect(trailOf(s)).toBe('i1:end u1:end');
    expect([s.sim.entities('unit'), s.sim.entities('item')]).toEqual([[], []]);
    expect([
      s.world.components.ownedUnits[rowOf(player)]!.units,
      s.world.components.ownedUnits[rowOf(player)]!.selected,
    ]).toEqual([[], 0]);
  });
});

test('an entity exists for its own last scripts, and not afterwards', () => {
  const s = scene();
  const unit = s.unit();
  s.ticks(1);
  destroyEntity(s.game, unit);
  expect(trailOf(s)).toBe('u1:end');
  expect([s.world.exists(unit), s.world.ref(unit)]).toEqual([false, undefined]);
  s.ticks(2);
  const next = s.unit();
  expect(next).not.toBe(unit);
  expect(s.world.exists(unit)).toBe(false);
});

describe('a destroyed unit that a global variable holds', () => {
  const fallen = { function: 'getVariable', variableName: 'fallen' };
  const ask = script('playerCustomInput', [
    setVariable('health', { function: 'getEntityAttribute', attribute: 'health', entity: fallen }),
    setVariable('at', { function: 'getEntityPosition', entity: fallen }),
    setVariable('type', { function: 'getUnitTypeOfUnit', entity: fallen }),
    setVariable('exists', { function: 'entityExists', entity: fallen }),
    { type: 'setEntityAttribute', attribute: 'health', entity: fallen, value: 1 },
    { type: 'moveEntity', entity: fallen, position: { x: 9, y: 9 } },
    { type: 'destroyEntity', entity: fallen },
  ]);
  const names = ['health', 'at', 'type', 'exists'] as const;

  function asking() {
    const variables = Object.fromEntries(names.map((name) => [name, { dataType: 'object' }]));
    const s = play({ variables: { fallen: { dataType: 'unit' }, ...variables }, scripts: { ask } });
    const ann = s.sim.join();
    const unit = s.unit({ x: 300, y: 200 });
    writeGlobal(s.world, 'fallen', s.world.ref(unit));
    s.ticks(1);
    destroyEntity(s.game, unit);
    s.ticks(50);
    const answers = () => {
      ann.answer('');
      s.ticks(1);
      return names.map((name) => s.variable(name));
    };
    return { s, unit, answers };
  }

  test('can still be queried, but not changed', () => {
    const { s, unit, answers } = asking();
    for (let i = 0; i < 3; i++) expect(answers()).toEqual([100, { x: 300, y: 200 }, 'unit', false]);
    expect(s.world.exists(unit)).toBe(false);
    expect(s.sim.entities('unit')).toEqual([]);
  });

  test('is forgotten once the variable holds something else', () => {
    const { s, unit } = asking();
    expect(s.world.remembers(unit)).toBe(true);
    writeGlobal(s.world, 'fallen', undefined);
    s.ticks(1);
    expect(s.world.remembers(unit)).toBe(false);
  });

  test('is remembered in a fork', () => {
    const { s } = asking();
    const fork = s.sim.fork();
    fork.run({ ticks: 5 });
    s.ticks(5);
    expect(fork.hash()).toBe(s.sim.hash());
  });

  test('does not use up the limit of entities', () => {
    const s = play({ variables: { fallen: { dataType: 'unit' } } }, { limits: { entities: 40 } });
    for (let i = 0; i < 300; i++) {
      const unit = s.unit();
      expect(s.world.exists(unit)).toBe(true);
      writeGlobal(s.world, 'fallen', s.world.ref(unit));
      destroyEntity(s.game, unit);
      s.ticks(1);
    }
    expect(s.faults()).toEqual([]);
  });
});

test('no list or owner refers to a destroyed entity, whatever the order of destruction', () => {
  fc.assert(
    fc.property(
      fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7]),
      fc.array(fc.integer({ min: 0, max: 2 })),
      (order, pauses) => {
        const s = scene();
        const made: Entity[] = [];
        for (let i = 0; i < 3; i++) {
          const unit = s.unit({ owner: s.player(1 + (i % 2)), x: 300 + 100 * i });
          made.push(unit, s.give(unit, 'sword'));
        }
        made.push(s.item('sword'), s.item('sword'));
        order.forEach((index, i) => {
          destroyEntity(s.game, made[index]!);
          s.ticks(pauses[i] ?? 0);
        });
        s.ticks(2);
        const { world } = s;
        const alive = (entity: Entity): void => void (entity === 0 || expect(world.exists(entity)).toBe(true));
        for (const unit of s.sim.entities('unit')) {
          const { slots, heldItem } = world.components.inventory[rowOf(unit)]!;
          for (const item of [...slots, heldItem, world.components.identity.owner[rowOf(unit)]!]) alive(item);
        }
        for (const item of s.sim.entities('item')) alive(world.components.identity.owner[rowOf(item)]!);
        for (const player of s.sim.entities('player')) {
          const { units, selected } = world.components.ownedUnits[rowOf(player)]!;
          for (const unit of [...units, selected]) alive(unit);
        }
        for (const list of [world.order, ...world.lists])
          expect(list.entries.filter((entity) => !world.exists(entity))).toEqual([]);
        for (const entity of made) if (!world.exists(entity)) expect(world.ref(entity)).toBeUndefined();
        expect(s.sim.entities('unit').every((unit) => world.is(unit, Kind.unit))).toBe(true);
        expect(s.faults()).toEqual([]);
      },
    ),
    runs(60),
  );
});
