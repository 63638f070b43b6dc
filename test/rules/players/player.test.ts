import { describe, expect, test } from 'vitest';
import { updateAttribute } from '../../../engine/rules/entities/attribute.ts';
import { destroyEntity } from '../../../engine/rules/entities/destroy.ts';
import { changeOwner } from '../../../engine/rules/entities/owner.ts';
import { readVariable, writeVariable } from '../../../engine/rules/entities/variable.ts';
import { selectUnit } from '../../../engine/rules/players/ownership.ts';
import { assignPlayerType, renamePlayer } from '../../../engine/rules/players/player.ts';
import { viewState } from '../../../engine/sim/view.ts';
import { type Entity, rowOf } from '../../../engine/world/entity.ts';
import { attribute, joinAs, type Play, play, script } from '../../support/play.ts';

const owned = (s: Play, player: Entity) => s.world.components.ownedUnits[rowOf(player)]!;

test('ten computer players exist from the start, without a trigger', () => {
  const s = play();
  expect(s.sim.entities('player').map((player) => s.id(player))).toEqual(
    Array.from({ length: 10 }, (_, i) => `c${i + 1}`),
  );
  expect(s.of('playerJoinsGame')).toEqual([]);
});

test('bots have their own client ids and can be kicked individually', () => {
  const kick = { type: 'kickPlayer', entity: { function: 'getTriggeringPlayer' } };
  const s = play({ scripts: { kick: script('playerCustomInput', [kick]) } });
  const bots = [1, 2, 3].map(() => s.sim.join({ isBot: true }));
  s.ticks(1);
  expect(bots.map(({ clientId }) => clientId)).toEqual(['p1', 'p2', 'p3']);
  bots[1]!.answer('');
  s.ticks(1);
  expect(bots.map(({ entity }) => s.id(entity))).toEqual(['p1', undefined, 'p3']);
});

describe('bots that scripts add', () => {
  const bot = script('playerCustomInput', [{ type: 'addBotPlayer', name: 'Bob' }]);
  const people = (s: ReturnType<typeof play>) =>
    s.sim
      .entities('player')
      .slice(10)
      .map((player) => s.id(player));

  test('are numbered together with human players, in order of joining', () => {
    const s = play({ scripts: { bot } });
    const ann = s.sim.join();
    s.ticks(1);
    ann.answer('');
    s.ticks(1);
    s.sim.join();
    s.ticks(1);
    ann.answer('');
    s.ticks(1);
    expect(people(s)).toEqual(['p1', 'p2', 'p3', 'p4']);
    expect(s.of('playerJoinsGame').map(({ payload }) => payload['player'])).toEqual(['p1', 'p2', 'p3', 'p4']);
  });

  test('do not block a player with the same client id', () => {
    const s = play({ scripts: { bot } });
    const ann = s.sim.join({ clientId: 'p1' });
    s.ticks(1);
    ann.answer('');
    s.ticks(1);
    const bob = s.sim.join({ clientId: 'p2' });
    s.ticks(1);
    expect(people(s)).toEqual(['p1', 'p2', 'p3']);
    expect(s.id(bob.entity)).toBe('p3');
    bob.answer('');
    s.ticks(1);
    expect(s.of('playerCustomInput').at(-1)!.payload).toEqual({ player: 'p3' });
  });

  test('may be added while other players join', () => {
    const add = script('playerJoinsGame', [
      {
        type: 'condition',
        conditions: [{ operator: '<', operandType: 'number' }, { function: 'getPlayerCount' }, 6],
        then: [{ type: 'addBotPlayer' }],
      },
    ]);
    const s = play({ scripts: { add } });
    const humans = [s.sim.join(), s.sim.join(), s.sim.join()];
    s.ticks(1);
    expect(people(s)).toHaveLength(8);
    expect(new Set(people(s)).size).toBe(8);
    expect(new Set(humans.map(({ entity }) => entity)).size).toBe(3);
    const more = Array.from({ length: 12 }, () => s.sim.join());
    s.ticks(1);
    expect(new Set(people(s)).size).toBe(20);
    expect(more.every(({ entity }) => s.world.exists(entity))).toBe(true);
  });
});

describe('units of a player', () => {
  test('include the selected one, which is the first by default', () => {
    const s = play();
    const player = s.player(1);
    const [first, second] = [s.unit(), s.unit()];
    expect([owned(s, player).units, owned(s, player).selected]).toEqual([[first, second], first]);
    expect(selectUnit(s.game, player, second)).toBe(true);
    expect(owned(s, player).selected).toBe(second);
    expect(selectUnit(s.game, s.player(2), second)).toBe(false);
  });

  test('follow a change of owner', () => {
    const s = play();
    const unit = s.unit();
    changeOwner(s.game, unit, s.player(2));
    expect([owned(s, s.player(1)).units, owned(s, s.player(1)).selected]).toEqual([[], 0]);
    expect([owned(s, s.player(2)).units, owned(s, s.player(2)).selected]).toEqual([[unit], unit]);
    expect(s.world.components.identity.owner[rowOf(unit)]).toBe(s.player(2));
  });

  test('are renamed with the player', () => {
    const s = play();
    const unit = s.unit();
    renamePlayer(s.game, s.player(1), 'Zoe');
    expect([s.player(1), unit].map((each) => s.world.components.name[rowOf(each)])).toEqual(['Zoe', 'Zoe']);
  });

  test('remain when the player leaves, which fires a trigger', () => {
    const s = play({ scripts: { join: joinAs('unit') } });
    const ann = s.sim.join();
    s.ticks(1);
    ann.leave();
    s.ticks(1);
    expect(s.of('playerLeavesGame').map(({ payload }) => payload)).toEqual([{ player: 'p1' }]);
    expect(s.sim.entities('unit')).toHaveLength(1);
    expect(ann.entity).toBe(0);
  });

  test('keep a player who has left as their owner until the last is destroyed', () => {
    const s = play({ scripts: { join: joinAs('unit') } });
    const ann = s.sim.join();
    s.ticks(1);
    const player = ann.entity;
    const unit = ann.unit!.entity;
    ann.leave();
    s.ticks(20);
    const { world } = s;
    expect([world.exists(player), world.remembers(player), s.world.components.identity.owner[rowOf(unit)]]).toEqual([
      false,
      true,
      player,
    ]);
    expect(viewState(world, s.game.physics).units[0]!.owner).toBe('p1');
    // It may return, but then counts as another player.
    const back = s.sim.join({ clientId: 'p1' });
    s.ticks(1);
    expect(back.entity).not.toBe(player);
    destroyEntity(s.game, unit);
    s.ticks(2);
    expect(world.remembers(player)).toBe(false);
  });
});

test('a player who changes type keeps values of common attributes and variables', () => {
  const variable = (value: number) => ({ dataType: 'number', default: value });
  const s = play({
    playerTypes: {
      human: {
        name: 'human',
        attributes: { gold: attribute(5, { max: 10 }), hp: attribute(1) },
        variables: { a: variable(1), b: variable(2), cleared: variable(3) },
      },
      rich: {
        name: 'rich',
        attributes: { gold: attribute(50, { max: 100 }), fame: attribute(3) },
        variables: { a: variable(7), c: variable(8), cleared: variable(9) },
      },
    },
  });
  const player = s.player(1);
  updateAttribute(s.game, player, 'gold', 6);
  writeVariable(s.world, player, 'a', 4);
  writeVariable(s.world, player, 'cleared', undefined);
  expect(assignPlayerType(s.game, player, 'nobody')).toBe(false);
  expect(s.attribute('c1', 'hp')).toBe(1);
  expect(assignPlayerType(s.game, player, 'rich')).toBe(true);
  expect(['gold', 'fame', 'hp'].map((key) => s.attribute('c1', key))).toEqual([6, 3, undefined]);
  updateAttribute(s.game, player, 'gold', 99);
  expect(s.attribute('c1', 'gold')).toBe(10);
  const keys = ['a', 'b', 'c', 'cleared'];
  expect(keys.map((key) => readVariable(s.world, player, key))).toEqual([4, undefined, 8, undefined]);
});
