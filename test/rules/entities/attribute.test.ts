import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TriggerType } from '../../../engine/index.ts';
import {
  attributeRow,
  attributeValue,
  setAttributeRate,
  updateAttribute,
} from '../../../engine/rules/entities/attribute.ts';
import { createItem } from '../../../engine/rules/items/item.ts';
import { assignPlayerType } from '../../../engine/rules/players/player.ts';
import { noEntity } from '../../../engine/world/entity.ts';
import { createUnitAt } from '../../support/actions.ts';
import { attribute, itemType, type Play, play, script, unitType } from '../../support/play.ts';
import { runs } from '../../support/property.ts';

type Json = Record<string, unknown>;

/** A unit with `mana` of 5 between 0 and 10, and a player with `gold` and an item with `charge` of the same values. */
function scene(mana: Json = {}, options: Parameters<typeof play>[1] = {}): Play {
  const own = attribute(5, { max: 10, ...mana });
  return play(
    {
      playerTypes: { human: { name: 'human', attributes: { gold: own } } },
      unitTypes: { unit: unitType({ attributes: { mana: own, speed: attribute(1) } }) },
      itemTypes: { crate: itemType({ attributes: { charge: own } }) },
    },
    options,
  );
}

const edges = ['entityAttributeBecomesZero', 'entityAttributeBecomesFull'] as const;

function fired(s: Play, types: readonly TriggerType[] = edges): string[] {
  return s.announced
    .filter(({ type }) => types.includes(type))
    .map(({ type }) => type.replace('entityAttributeBecomes', ''));
}

describe('a change of an attribute', () => {
  test.each<[value: number | undefined, min: number | undefined, max: number | undefined, after: number[]]>([
    [7, undefined, undefined, [7, 0, 10]],
    [70, undefined, undefined, [10, 0, 10]],
    [-7, undefined, undefined, [0, 0, 10]],
    [undefined, undefined, 3, [3, 0, 3]],
    [undefined, 8, undefined, [8, 8, 10]],
    [undefined, undefined, 20, [5, 0, 20]],
    [15, undefined, 20, [15, 0, 20]],
    [-3, -5, undefined, [-3, -5, 10]],
  ])('to value %s, min %s, max %s gives %j', (value, min, max, after) => {
    const s = scene();
    const unit = s.unit();
    expect(updateAttribute(s.game, unit, 'mana', value, min, max)).toBe(true);
    const row = attributeRow(s.world, unit, 'mana');
    const { attributes } = s.world;
    expect([attributes.value[row], attributes.min[row], attributes.max[row]]).toEqual(after);
  });

  test('is refused for an attribute or an entity that does not exist', () => {
    const s = scene();
    expect(updateAttribute(s.game, s.unit(), 'health', 1)).toBe(false);
    expect(updateAttribute(s.game, noEntity, 'mana', 1)).toBe(false);
    expect(attributeValue(s.world, noEntity, 'mana')).toBeUndefined();
    expect(setAttributeRate(s.game, noEntity, 'mana', 1)).toBe(false);
  });

  test('keeps any value within the bounds, and fires when it reaches one', () => {
    const number = fc.integer({ min: -30, max: 30 });
    fc.assert(
      fc.property(fc.array(fc.tuple(number, fc.boolean()), { maxLength: 30 }), (changes) => {
        const s = scene();
        const unit = s.unit();
        const expected: string[] = [];
        let now = 5;
        for (const [amount, isAbsolute] of changes) {
          const wanted = isAbsolute ? amount : now + amount;
          const next = Math.max(0, Math.min(10, wanted));
          if (next === 0 && now > 0) expected.push('Zero');
          else if (next === 10) expected.push('Full');
          updateAttribute(s.game, unit, 'mana', wanted);
          now = attributeValue(s.world, unit, 'mana')!;
          expect(now).toBe(next);
        }
        expect(fired(s)).toEqual(expected);
      }),
      runs(),
    );
  });

  test('keeps the value within any new bounds', () => {
    const some = fc.option(fc.integer({ min: 0, max: 40 }), { nil: undefined });
    fc.assert(
      fc.property(fc.array(fc.tuple(some, some, some), { maxLength: 20 }), (changes) => {
        const s = scene();
        const unit = s.unit();
        for (const [value, min, more] of changes) {
          updateAttribute(s.game, unit, 'mana', value, min, more === undefined ? undefined : (min ?? 40) + more);
          const row = attributeRow(s.world, unit, 'mana');
          const { attributes } = s.world;
          expect(attributes.value[row]).toBeGreaterThanOrEqual(attributes.min[row]!);
          if (attributes.min[row]! <= attributes.max[row]!)
            expect(attributes.value[row]).toBeLessThanOrEqual(attributes.max[row]!);
        }
      }),
      runs(),
    );
  });
});

describe('reaching a bound', () => {
  test.each<[from: number, to: number, edge: string[]]>([
    [5, 0, ['Zero']],
    [5, -3, ['Zero']],
    [0, 0, []],
    [0, -1, []],
    [0, 5, []],
    [5, 10, ['Full']],
    [5, 99, ['Full']],
    // Every attempt to increase a full attribute fires a trigger (reference: control-flow#attribute-updates).
    [10, 10, ['Full']],
    [10, 9, []],
    [10, 0, ['Zero']],
  ])('from %d to %d fires %j', (from, to, edge) => {
    const s = scene({ value: from });
    updateAttribute(s.game, s.unit(), 'mana', to);
    expect(fired(s)).toEqual(edge);
  });

  test('is told with the former attribute: to own scripts at once, to global ones in the tick', () => {
    const s = scene();
    const unit = s.unit();
    const item = createItem(s.game, { type: 'crate', x: 9, y: 9, angle: 0 });
    const player = s.player(1);
    for (const [entity, key] of [
      [unit, 'mana'],
      [item, 'charge'],
      [player, 'gold'],
    ] as const)
      updateAttribute(s.game, entity, key, 0);
    const former = (type: string) => ({ type, name: 'attribute', value: 5, min: 0, max: 10 });
    const told = () =>
      s.announced
        .filter(({ type }) => type.includes('BecomesZero'))
        .map(({ type, scope, payload }) => [type, scope, payload]);
    const own = [
      ['entityAttributeBecomesZero', 'entity', { attribute: former('mana'), unit: 'u1' }],
      ['entityAttributeBecomesZero', 'entity', { attribute: former('charge'), item: 'i1' }],
    ];
    expect(told()).toEqual(own);
    s.ticks(1);
    expect(told()).toEqual([
      ...own,
      ['unitAttributeBecomesZero', 'global', { attribute: former('mana'), unit: 'u1' }],
      ['itemAttributeBecomesZero', 'global', { attribute: former('charge'), item: 'i1' }],
      ['playerAttributeBecomesZero', 'global', { attribute: former('gold'), player: 'c1' }],
    ]);
    s.ticks(3);
    expect(told()).toHaveLength(5);
  });
});

describe('regeneration in standard', () => {
  test.each([1, 20, 60])('is spread evenly over %d ticks per second and stops at the bound', (frameRate) => {
    const s = play({
      defaultData: { frameRate },
      unitTypes: {
        unit: unitType({
          attributes: {
            mana: attribute(1, { max: 10, regenerateSpeed: 2 }),
            hunger: attribute(9, { regenerateSpeed: -3 }),
          },
        }),
      },
    });
    s.unit();
    s.seconds(2);
    expect(s.attribute('u1', 'mana')).toBeCloseTo(5, 9);
    expect(s.attribute('u1', 'hunger')).toBeCloseTo(3, 9);
    s.seconds(8);
    expect([s.attribute('u1', 'mana'), s.attribute('u1', 'hunger')]).toEqual([10, 0]);
    // Reaching a bound fires once; staying at it fires nothing.
    expect(fired(s)).toEqual(['Zero', 'Full']);
    expect(s.of('unitAttributeBecomesFull')).toHaveLength(1);
    expect(s.of('unitAttributeBecomesZero')).toHaveLength(1);
  });

  test('fires each time it reaches the maximum again', () => {
    const s = scene({ value: 9, regenerateSpeed: 20 });
    const unit = s.unit();
    s.seconds(1);
    for (let i = 2; i < 5; i++) {
      updateAttribute(s.game, unit, 'mana', 5);
      s.seconds(1);
      expect(fired(s)).toHaveLength(i);
    }
  });

  test('starts when a rate is set, and ends when it is set to 0', () => {
    const s = scene();
    const unit = s.unit();
    s.seconds(1);
    expect(s.attribute('u1', 'mana')).toBe(5);
    setAttributeRate(s.game, unit, 'mana', 1);
    s.seconds(1);
    expect(s.attribute('u1', 'mana')).toBeCloseTo(6, 9);
    setAttributeRate(s.game, unit, 'mana', 0);
    s.seconds(5);
    expect(s.attribute('u1', 'mana')).toBeCloseTo(6, 9);
  });

  test('works for players and items', () => {
    const s = scene({ regenerateSpeed: 1 });
    createItem(s.game, { type: 'crate', x: 9, y: 9, angle: 0 });
    s.player(1);
    s.seconds(2);
    expect([s.attribute('i1', 'charge'), s.attribute('c1', 'gold')].map((value) => value?.toFixed(6))).toEqual([
      '7.000000',
      '7.000000',
    ]);
  });
});

describe('regeneration in moddio', () => {
  /** Simulated times, ms, at which the value changed. */
  function pulses(rate: number, until: number): number[] {
    const s = play(
      {
        defaultData: { frameRate: rate, engineTickRate: rate },
        unitTypes: { unit: unitType({ attributes: { mana: attribute(0, { max: 1000, regenerateSpeed: 3 }) } }) },
      },
      { dialect: 'moddio' },
    );
    s.unit();
    const times: number[] = [];
    let last = 0;
    while (s.sim.nowMs < until) {
      s.ticks(1);
      const value = s.attribute('u1', 'mana')!;
      if (value !== last) {
        expect(value - last).toBe(3);
        times.push(Math.round(s.sim.nowMs));
      }
      last = value;
    }
    return times;
  }

  test('adds the whole rate once more than 200 ms have passed; the excess lengthens the next wait', () => {
    expect(pulses(20, 2400)).toEqual([250, 550, 850, 1150, 1450, 1750, 2050, 2350]);
  });

  test('has intervals of 200 to 250 ms at 60 ticks per second', () => {
    const times = pulses(60, 2400);
    const gaps = times.map((time, i) => time - (times[i - 1] ?? 0));
    for (const gap of gaps) expect(gap).toBeGreaterThan(200);
    for (const gap of gaps) expect(gap).toBeLessThanOrEqual(250);
  });

  test('keeps its schedule while the rate is 0', () => {
    const s = play({ unitTypes: { unit: unitType({ attributes: { mana: attribute(0) } }) } }, { dialect: 'moddio' });
    const unit = s.unit();
    s.ticks(8);
    // At 400 ms. A unit created at 0 regenerates at 250, 550, 850 …
    setAttributeRate(s.game, unit, 'mana', 1);
    const times: number[] = [];
    for (let i = 0; i < 12; i++) {
      const before = s.attribute('u1', 'mana');
      s.ticks(1);
      if (s.attribute('u1', 'mana') !== before) times.push(s.sim.nowMs);
    }
    expect(times).toEqual([550, 850]);
  });

  test('keeps its schedule for a player without a type', () => {
    const gold = attribute(0, { regenerateSpeed: 1 });
    const s = play(
      { playerTypes: { human: { name: 'human', attributes: {} }, rich: { name: 'rich', attributes: { gold } } } },
      { dialect: 'moddio' },
    );
    s.ticks(8);
    expect(assignPlayerType(s.game, s.player(2), 'rich')).toBe(true);
    const times: number[] = [];
    for (let i = 0; i < 12; i++) {
      const before = s.attribute('c2', 'gold');
      s.ticks(1);
      if (s.attribute('c2', 'gold') !== before) times.push(s.sim.nowMs);
    }
    expect(times).toEqual([550, 850]);
  });

  test('keeps its schedule for an item on the ground', () => {
    const s = play({ itemTypes: { crate: itemType({ attributes: { charge: attribute(0) } }) } }, { dialect: 'moddio' });
    const item = createItem(s.game, { type: 'crate', x: 9, y: 9, angle: 0 });
    s.ticks(8);
    setAttributeRate(s.game, item, 'charge', 1);
    s.ticks(2);
    expect(s.attribute('i1', 'charge')).toBe(0);
    s.ticks(1);
    expect(s.attribute('i1', 'charge')).toBe(1);
  });

  test('starts half a tick earlier for a unit created by an input', () => {
    const make = createUnitAt('unit', { function: 'getTriggeringPlayer' }, { x: 9, y: 9 });
    const s = play(
      {
        unitTypes: { unit: unitType({ attributes: { mana: attribute(0, { max: 1000, regenerateSpeed: 3 }) } }) },
        scripts: { join: script('playerJoinsGame', [make]) },
      },
      { dialect: 'moddio' },
    );
    s.sim.join();
    const seen: (number | undefined)[] = [];
    for (let i = 0; i < 6; i++) {
      s.ticks(1);
      seen.push(s.attribute('u1', 'mana'));
    }
    // Created at 25 ms: at the tick of 250, 225 ms have passed.
    expect(seen).toEqual([0, 0, 0, 0, 3, 3]);
  });
});
