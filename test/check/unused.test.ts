import { expect, test } from 'vitest';
import { checkGame } from '../../src/check/check-game.ts';
import { body, load, script } from '../support/play.ts';
import { ofWholeGames } from './issues.ts';

const state = (key: string, animation = 'none') => ({ name: key, body: key, animation });
const data = (named: string) => ({
  unitTypes: {
    hero: {
      name: 'Hero',
      states: { default: state('default', 'stand'), fly: state('wings') },
      bodies: { default: body(), wings: body(), shell: body() },
      animations: { stand: { name: 'stand', frames: [1] }, wave: { name: 'wave', frames: [1] } },
    },
  },
  variables: { mood: { dataType: 'string', default: named } },
  scripts: {
    tale: script('unitTouchesItem', [
      { type: 'setEntityState', entity: { function: 'getTriggeringUnit' }, state: 'default' },
    ]),
  },
});
const unused = (named: string) =>
  checkGame(load(data(named)))
    .filter(({ code }) => !ofWholeGames.has(code))
    .map(({ code, pointer }) => [code, pointer.replace('/data/unitTypes/hero/', '')]);

test('states, bodies and animations without a reference are reported as unused', () => {
  expect(unused('')).toEqual([
    ['unused', 'states/fly'],
    ['unused', 'bodies/shell'],
    ['unused', 'animations/wave'],
  ]);
});

test('the default of a text variable counts as a reference', () => {
  expect(unused('wave')).toEqual([
    ['unused', 'states/fly'],
    ['unused', 'bodies/shell'],
  ]);
});
