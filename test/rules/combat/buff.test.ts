import { expect, test } from 'vitest';
import { addBuff, addPercentageBuff, endBuffs } from '../../../engine/rules/combat/buff.ts';
import { attributeRow, updateAttribute } from '../../../engine/rules/entities/attribute.ts';
import type { Entity } from '../../../engine/world/entity.ts';
import { rowOf } from '../../../engine/world/entity.ts';
import { attribute, type Play, play, unitType } from '../../support/play.ts';

function scene(value: number): { s: Play; unit: Entity; now: () => [value: number, max: number] } {
  const s = play({
    unitTypes: { unit: unitType({ attributes: { mana: attribute(value, { max: 100 }), luck: attribute(1) } }) },
  });
  const unit = s.unit();
  const now = (): [number, number] => {
    const row = attributeRow(s.world, unit, 'mana');
    return [s.world.attributes.value[row]!, s.world.attributes.max[row]!];
  };
  return { s, unit, now };
}

test.each<[from: number, amount: number, during: [number, number]]>([
  [50, 20, [70, 120]],
  [90, 20, [100, 120]],
  [100, 20, [100, 120]],
  [50, -20, [30, 80]],
  [100, -20, [60, 80]],
  [0, 20, [21, 120]],
])('a buff of the value %d by %d gives %j, and reverts both at its end', (from, amount, during) => {
  const { s, unit, now } = scene(from);
  expect(addBuff(s.game, unit, 'mana', amount, 1000)).toBe(true);
  expect(now()).toEqual(during);
  s.seconds(0.95);
  expect(now()).toEqual(during);
  s.ticks(1);
  expect(now()).toEqual([from, 100]);
  expect(s.world.components.buffs[rowOf(unit)]).toBe(undefined);
});

test('a percentage buff changes value and maximum', () => {
  const { s, unit, now } = scene(40);
  addPercentageBuff(s.game, unit, 'mana', 50, 1000);
  expect(now()).toEqual([60, 150]);
  s.seconds(1);
  expect(now()).toEqual([40, 100]);
});

test('changes to the value during a buff remain after it', () => {
  const { s, unit, now } = scene(50);
  addBuff(s.game, unit, 'mana', 20, 1000);
  updateAttribute(s.game, unit, 'mana', 40);
  s.seconds(1);
  expect(now()).toEqual([20, 100]);
});

test('buffs that are due at the same time end together', () => {
  const { s, unit, now } = scene(10);
  for (let i = 0; i < 4; i++) addBuff(s.game, unit, 'mana', 10, 1000);
  addBuff(s.game, unit, 'mana', 10, 2000);
  expect(now()).toEqual([60, 150]);
  s.seconds(1);
  expect(now()).toEqual([20, 110]);
  s.seconds(1);
  expect(now()).toEqual([10, 100]);
});

test('ending all buffs of a unit takes effect in the next tick', () => {
  const { s, unit, now } = scene(10);
  addBuff(s.game, unit, 'mana', 10, 1000);
  addBuff(s.game, unit, 'mana', 10, 5000);
  endBuffs(s.game, unit);
  s.ticks(1);
  expect(now()).toEqual([10, 100]);
});

test('an attribute that the unit lacks cannot be buffed', () => {
  const { s, unit } = scene(10);
  expect(addBuff(s.game, unit, 'health', 10, 1000)).toBe(false);
  expect(addPercentageBuff(s.game, unit, 'health', 10, 1000)).toBe(false);
});
