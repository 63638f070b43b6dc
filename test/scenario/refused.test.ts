import { expect, test } from 'vitest';
import type { Step } from '../../src/scenario/reading/schema.ts';
import { ScenarioFailure, scenario } from '../../src/scenario/testing.ts';
import { reenact } from '../cli/support.ts';
import { smallDocument } from './small-game.ts';

const play = () => scenario({ game: smallDocument(), players: ['ann', 'bob'] });

function foundBy(work: () => unknown): readonly string[] {
  try {
    work();
  } catch (error) {
    if (error instanceof ScenarioFailure) return error.report.found;
    throw error;
  }
  throw new Error('It did not fail.');
}

test('a refused purchase is in the first lines of a failure, with its reason', () => {
  const bought = () => play().player('ann').buy('bone').wait('1 tick');
  expect(foundBy(() => bought().expect('items of type bone held by ann == 1'))).toEqual([
    'items of type bone held by ann is 0',
    "ann's input buyItem was refused: no_shop (No shop is open for the player.)",
  ]);
  // Once an expectation has passed, it is no longer the reason.
  const later = bought().expect('rings == 0');
  expect(foundBy(() => later.expect('rings == 1'))).toEqual(['rings is 0']);
});

test.each<[string, readonly Step[], string]>([
  ['a message with a link', [{ say: 'see http://a.b', by: 'ann' }], 'chat was refused: refused'],
  ['too many messages', Array(6).fill({ say: 'hello', by: 'ann' }), 'chat was refused: too-many'],
  [
    'a swap without a unit',
    [{ destroy: 'ann.unit' }, { swap: [0, 1], by: 'ann' }],
    'swapItems was refused: no-such-entity',
  ],
])('%s is in the first lines of a failure, as a refused purchase is', (_what, steps, refusal) => {
  const failed = () =>
    play()
      .perform(...steps, { wait: '1 tick' })
      .expect('rings == 1');
  expect(foundBy(failed)).toContainEqual(expect.stringContaining(`ann's input ${refusal} (`));
});

const pressed = (key: string) =>
  foundBy(() => play().player('ann').press(key, '1 tick').wait('1 tick').expect('rings == 1'));

test.each(['q', 'space', 'enter', 'f1', 'button3', '0', '9'])(
  'the key %s, which nothing binds, is in the first lines of a failure',
  (key) => {
    expect(pressed(key)).toEqual([
      'rings is 0',
      `ann pressed ${key}, a key that units of type Walker have no binding for`,
    ]);
  },
);

test.each(['d', 'up', '3', 'button1'])('the key %s needs no binding', (key) => {
  expect(pressed(key)).toEqual(['rings is 0']);
});

test('keys that do not walk in the movement scheme of a unit are told', () => {
  const game = smallDocument();
  const { walker } = (game['data'] as { unitTypes: { walker: { controls: object } } }).unitTypes;
  walker.controls = { ...walker.controls, movementControlScheme: 'ad' };
  const walked = (key: string) => () =>
    scenario({ game, players: ['ann'] })
      .player('ann')
      .press(key, '1 tick')
      .expect('rings == 1');
  expect(foundBy(walked('w'))).toContain('ann pressed w, a key that units of type Walker have no binding for');
  expect(foundBy(walked('a'))).toEqual(['rings is 0']);
});

test.each(['not_affordable', 'no_shop', 'cannot_carry', 'no_unit', 'too-many', 'explanation-failed', 'internal'])(
  'codes explains %s',
  async (word) => {
    const { code, stdout } = await reenact(['codes', word]);
    expect([code, stdout]).toEqual([0, expect.stringContaining(`  ${word}  `)]);
  },
);
