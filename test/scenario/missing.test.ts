import { describe, expect, test } from 'vitest';
import { ScenarioFailure } from '../../src/scenario/telling/failure.ts';
import type { Play } from '../../src/scenario/testing.ts';
import { smallGame } from './small-game.ts';

/** Ann has left, rex is gone, bob is here. */
function afterwards(): Play {
  const play = smallGame({
    players: ['ann', { name: 'bob', attributes: { score: 7 } }],
    entities: [
      { unit: 'dog', name: 'rex', at: [100, 100], owner: 'bob', attributes: { health: 40 } },
      { unit: 'dog', name: 'fido', at: [600, 600] },
      { item: 'bone', name: 'toy', at: [300, 300] },
    ],
  });
  play.player('ann').leave().destroy('rex').wait('2 ticks');
  return play;
}

function reasonOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof ScenarioFailure) return error.message;
    throw error;
  }
  throw new Error('It passed.');
}

describe('an expectation about a missing player or entity does not hold, with the reason', () => {
  test.each([
    ['no units owned by ann', 'units owned by ann is nothing: ann is not in the game'],
    ['units owned by ann == 0', 'units owned by ann is nothing: ann is not in the game'],
    ['not (units owned by ann)', 'ann is not in the game'],
    ['ann.score != 5', 'ann.score is nothing: ann is not in the game'],
    ['not (ann.score == 5)', 'ann is not in the game'],
    ['ann.unit.type != "dog"', 'ann is not in the game'],
    ['rex.health < 50', 'rex.health is nothing: rex (Guard Dog) no longer exists'],
    ['rex.health + 1 != 3', 'rex (Guard Dog) no longer exists'],
    ['-rex.health != 3', 'rex (Guard Dog) no longer exists'],
    ['rex != fido', 'rex is nothing: rex (Guard Dog) no longer exists'],
    ['no items held by ann', 'ann is not in the game'],
    ['no items held by rex', 'rex (Guard Dog) no longer exists'],
    ['no units held by bob', 'only items can be held, not units'],
    ['no units owned by fido', 'fido is fido (Guard Dog), which cannot own units'],
    ['fido.score != 1', 'fido (Guard Dog) has no score'],
    ['units where (score != 1)', 'units where (score != 1) is 0'],
    [
      'all units have (speed > -1)',
      'all units have (speed > -1) is false\n    fido (Guard Dog): speed is nothing: fido (Guard Dog) has no speed\n  why: ',
    ],
    ['no units of dog have (health > 5)', 'is false\n    fido (Guard Dog): health is 100\n  why: '],
    ['sum(score of units) != 1', 'has no score'],
    ['all projectiles have (x > 0)', 'all projectiles have (x > 0) is nothing: there are no projectiles'],
    ['not (all units of dog owned by bob have (health > 0))', 'there are no units of dog owned by bob'],
    ['max(health of units where (health > 1000)) != 1', 'there are no units where (health > 1000)'],
    ['bob.unit.holding.quantity != 1', 'bob.unit.holding is nothing'],

    ['first units where (x > 9999) == bob.unit or (first projectiles).x == 1', 'Expected'],
  ])('%s', (expression, reason) => {
    const play = afterwards();
    expect(reasonOf(() => play.expect(expression))).toContain(reason);
  });

  test.each([
    'ann == nothing',
    'rex == nothing and ann.score == nothing',
    'fido != nothing',
    'bob.unit.holding == nothing',
    'ann.score == 3 or bob.score == 7',
    'units of type dog owned by bob == 0',
    'no units have (health == 40)',
  ])('is no requirement of: %s', (expression) => {
    afterwards().expect(expression);
  });

  test('fails `always` when the player leaves', () => {
    const play = smallGame({ players: ['ann', 'bob'] });
    play.always('ann.score >= 0');
    expect(reasonOf(() => play.player('ann').leave().wait('2 ticks'))).toContain(
      'expected always: ann.score >= 0\n  ann.score is nothing: ann is not in the game',
    );
  });

  test('waits for the first in `always` about all', () => {
    const play = smallGame({ players: ['ann'] });
    play.always('all units of type dog have (health > 50)');
    play.wait('1 s').spawn({ unit: 'dog', name: 'rex' }).wait('1 s');
    expect(reasonOf(() => play.set({ 'rex.health': 40 }).wait('1 tick'))).toContain('rex (Guard Dog): health is 40');
    expect(reasonOf(() => smallGame().always('all units of type dog have (health > 50)', '1 s'))).toContain(
      'there are no units of type dog',
    );
  });

  test('holds in `never` for a player who is present part of the time', () => {
    const play = smallGame({ players: ['ann', 'bob'] });
    play.player('ann').leave();
    play.never('ann.score > 5', '1 s').expect('bob.score == 0');
  });

  test('fails in `never` for a player who never exists', () => {
    expect(reasonOf(() => afterwards().never('ann.score > 5', '1 s'))).toContain(
      'expected never: ann.score > 5\n  ann.score is nothing: ann is not in the game',
    );
  });
});

describe('the items of a player', () => {
  test('include items carried by its unit', () => {
    const play = smallGame({ players: ['ann', 'bob'], entities: [{ item: 'bone', heldBy: 'ann' }] });
    play.expect('items held by ann == 1 and items owned by ann == 1 and items owned by ann.unit == 1');
    play.expect('no items held by bob and no items owned by bob');
  });
});

describe('impossible events are an error rather than "0 times"', () => {
  test.each<[string, string, Record<string, unknown>]>([
    ['unitTouchesUnit', 'Did you mean "unit"?', { untt: 'ann.unit' }],
    ['unitTouchesUnit', 'There is no entity, player or region "anne". Did you mean "ann"?', { unit: 'anne.unit' }],
    ['unitTouchesUnit', 'The game has no unit type "cat".', { unit: { type: 'cat' } }],
    ['unitTouchesUnit', 'not the member "name"', { unit: { type: 'dog', name: 'rex' } }],
    ['secondTick', 'its members are none', { unit: 'ann.unit' }],
  ])('%s, %s', (trigger, reason, where) => {
    const play = smallGame({ players: ['ann'] });
    expect(reasonOf(() => play.event(trigger, { where, times: 0 }))).toContain(reason);
  });

  test.each<[Record<string, unknown>, string]>([
    [{ to: 'anne' }, 'Did you mean "ann"?'],
    [{ txt: 'Welcome.' }, 'Did you mean "text"?'],
  ])('an output with %j', (where, reason) => {
    const play = smallGame({ players: ['ann'] });
    expect(reasonOf(() => play.output('chat', { where, times: 0 }))).toContain(reason);
  });

  test('an entity can be named by the variable that holds it', () => {
    const play = smallGame({ players: ['ann'] });
    play.event('playerJoinsGame', { where: { player: 'ann' } });
  });
});
