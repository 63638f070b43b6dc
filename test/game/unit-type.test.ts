import { expect, test } from 'vitest';
import { updateAttribute } from '../../engine/game/attribute.ts';
import { changeUnitType } from '../../engine/game/unit-type.ts';
import { readVariable, writeVariable } from '../../engine/game/variable.ts';
import { rowOf } from '../../engine/world/entity.ts';
import { type Arena, arena } from '../support/arena.ts';
import { attribute, body, unitType } from '../support/play.ts';
import { noting, trailOf, trailVariable } from '../support/trail.ts';

function scene(): Arena {
  const word = (text: string) => ({ dataType: 'string', default: text });
  return arena({
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

const elder = (s: Arena) => s.world.types.unit.get('elder')!;

test('a type change leaves no value above its maximum, and keeps what fits', () => {
  const s = scene();
  const high = s.unit();
  const low = s.unit();
  updateAttribute(s.game, low, 'health', 20);
  for (const unit of [high, low]) changeUnitType(s.game, unit, elder(s));
  s.seconds(1);
  expect([s.attribute('u1', 'health'), s.attribute('u2', 'health')]).toEqual([60, 20]);
  expect([s.attribute('u1', 'wisdom'), s.attribute('u1', 'mana')]).toEqual([3, undefined]);
});

test('variables of both types keep their value, new ones start with their default', () => {
  const s = scene();
  const unit = s.unit();
  writeVariable(s.world, unit, 'mood', 'glad');
  changeUnitType(s.game, unit, elder(s));
  expect(['mood', 'new', 'old'].map((key) => readVariable(s.world, unit, key))).toEqual(['glad', 'new', undefined]);
});

test('scripts, body and size are those of the new type; owner, place and name stay', () => {
  const s = scene();
  const unit = s.unit({ x: 321 });
  const { owner, width, height, x } = s.world.columns;
  const row = rowOf(unit);
  const { name } = s.world.units[row]!;
  s.ticks(1);
  changeUnitType(s.game, unit, elder(s));
  s.ticks(1);
  expect(trailOf(s)).toBe('unit elder');
  expect([width[row], height[row], x[row], owner[row]]).toEqual([80, 60, 321, s.player(1)]);
  expect(s.world.units[row]!.name).toBe(name);
});
