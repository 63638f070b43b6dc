import { describe, expect, test } from 'vitest';
import { updateAttribute } from '../../engine/game/attribute.ts';
import { ownUnit, selectUnit } from '../../engine/game/ownership.ts';
import { assignPlayerType, renamePlayer } from '../../engine/game/player.ts';
import { readVariable, writeVariable } from '../../engine/game/variable.ts';
import { type Entity, rowOf } from '../../engine/world/entity.ts';
import { type Arena, arena } from '../support/arena.ts';
import { attribute, joinAs, script } from '../support/play.ts';

const state = (s: Arena, player: Entity) => s.world.players[rowOf(player)]!;

test('ten computer players are there from the start, and nobody is told', () => {
  const s = arena();
  expect(s.sim.entities('player').map((player) => s.id(player))).toEqual(
    Array.from({ length: 10 }, (_, i) => `c${i + 1}`),
  );
  expect(s.of('playerJoinsGame')).toEqual([]);
});

test('bots have client ids of their own and can be kicked one by one', () => {
  const kick = { type: 'kickPlayer', entity: { function: 'getTriggeringPlayer' } };
  const s = arena({ scripts: { kick: script(['playerCustomInput'], [kick]) } });
  const bots = [1, 2, 3].map(() => s.sim.join({ isBot: true }));
  s.ticks(1);
  expect(bots.map(({ clientId }) => clientId)).toEqual(['p1', 'p2', 'p3']);
  bots[1]!.answer('');
  s.ticks(1);
  expect(bots.map(({ entity }) => s.id(entity))).toEqual(['p1', undefined, 'p3']);
});

describe('units of a player', () => {
  test('its only unit is the one it steers; a second one is not', () => {
    const s = arena();
    const player = s.player(1);
    const [first, second] = [s.unit(), s.unit()];
    expect([state(s, player).units, state(s, player).selectedUnit]).toEqual([[first, second], first]);
    expect(selectUnit(s.game, player, second)).toBe(true);
    expect(state(s, player).selectedUnit).toBe(second);
    expect(selectUnit(s.game, s.player(2), second)).toBe(false);
  });

  test('go from owner to owner', () => {
    const s = arena();
    const unit = s.unit();
    ownUnit(s.game, s.player(2), unit);
    expect([state(s, s.player(1)).units, state(s, s.player(1)).selectedUnit]).toEqual([[], 0]);
    expect([state(s, s.player(2)).units, state(s, s.player(2)).selectedUnit]).toEqual([[unit], unit]);
    expect(s.world.columns.owner[rowOf(unit)]).toBe(s.player(2));
  });

  test('are renamed with it', () => {
    const s = arena();
    const unit = s.unit();
    renamePlayer(s.game, s.player(1), 'Zoe');
    expect([state(s, s.player(1)).name, s.world.units[rowOf(unit)]!.name]).toEqual(['Zoe', 'Zoe']);
  });

  test('stay when it leaves; the scripts hear of it while it is there', () => {
    const s = arena({ scripts: { join: joinAs('unit') } });
    const ann = s.sim.join();
    s.ticks(1);
    ann.leave();
    s.ticks(1);
    expect(s.of('playerLeavesGame').map(({ payload }) => payload)).toEqual([{ player: 'p1' }]);
    expect(s.sim.entities('unit')).toHaveLength(1);
    expect(ann.entity).toBe(0);
  });
});

test('another type: equal attributes keep value and maximum, equal variables their value', () => {
  const variable = (value: number) => ({ dataType: 'number', default: value });
  const s = arena({
    playerTypes: {
      human: {
        name: 'human',
        attributes: { gold: attribute(5, { max: 10 }), hp: attribute(1) },
        variables: { a: variable(1), b: variable(2) },
      },
      rich: {
        name: 'rich',
        attributes: { gold: attribute(50, { max: 100 }), fame: attribute(3) },
        variables: { a: variable(7), c: variable(8) },
      },
    },
  });
  const player = s.player(1);
  updateAttribute(s.game, player, 'gold', 6);
  writeVariable(s.world, player, 'a', 4);
  expect(assignPlayerType(s.game, player, 'nobody')).toBe(false);
  expect(s.attribute('c1', 'hp')).toBe(1);
  expect(assignPlayerType(s.game, player, 'rich')).toBe(true);
  expect(['gold', 'fame', 'hp'].map((key) => s.attribute('c1', key))).toEqual([6, 3, undefined]);
  updateAttribute(s.game, player, 'gold', 99);
  expect(s.attribute('c1', 'gold')).toBe(10);
  expect(['a', 'b', 'c'].map((key) => readVariable(s.world, player, key))).toEqual([4, undefined, 8]);
});
