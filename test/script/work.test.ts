import { describe, expect, test } from 'vitest';
import type { DialectName } from '../../engine/index.ts';
import { createUnitAt, setVariable, when } from '../support/actions.ts';
import { body, play, script, unitType } from '../support/play.ts';
import { computed } from './values/harness.ts';

/** An action that does much work counts as several, so that no game can make a tick last for minutes. */

const variable = (variableName: string) => ({ function: 'getVariable', variableName });
const set = (variableName: string, value: unknown) => setVariable(variableName, value);

function faultsOf(length: number, value: unknown, dialect: DialectName = 'standard') {
  const game = play(
    {
      variables: { long: { dataType: 'string', default: 'a'.repeat(length) }, result: { dataType: 'string' } },
      unitTypes: { unit: unitType() },
      scripts: {
        a: script('gameStart', [set('result', ''), { type: 'repeat', count: 2000, actions: [set('result', value)] }]),
      },
    },
    { dialect, limits: { actionsPerTick: 10_000 } },
  );
  return game.faults().map(({ code }) => code);
}

const quoted = (text: unknown) => ({
  function: 'concat',
  textA: { function: 'concat', textA: computed('["'), textB: text },
  textB: '"]',
});

describe.each<[what: string, value: unknown]>([
  ['concatenated', { function: 'concat', textA: variable('long'), textB: 'b' }],
  ['converted to capitals', { function: 'toUpperCase', string: variable('long') }],
  ['searched', { function: 'subString', sourceString: variable('long'), patternString: 'b' }],
  [
    'replaced in',
    { function: 'replaceValuesInString', sourceString: variable('long'), matchString: 'b', newString: '' },
  ],
  ['read as JSON', { function: 'getStringArrayElement', string: quoted(variable('long')), number: 0 }],
  ['read as an object', { function: 'stringToObject', string: quoted(variable('long')) }],
  ['written as JSON', { function: 'insertStringArrayElement', string: '[]', value: variable('long') }],
])('a text that is %s in a loop', (_what, value) => {
  test('ends the script when it is long', () => {
    expect(faultsOf(10_000, value)).toEqual(['limit-actions']);
  });

  test('is no fault when it is short', () => {
    expect(faultsOf(10, value)).toEqual([]);
  });
});

test('a pattern tried at each position of a text counts as quadratic work', () => {
  const replaced = (matchString: string) =>
    faultsOf(
      // So short that one pass over it counts as no work.
      100,
      { function: 'replaceValuesInString', sourceString: variable('long'), matchString, newString: '' },
      'moddio',
    );
  expect(replaced('a*b')).toEqual(['limit-actions']);
  expect(replaced('b')).toEqual([]);
});

describe.each<[DialectName, operator: string, operandType: string, other: string]>([
  ['standard', '==', 'object', 'another list'],
  ['standard', '==', 'string', 'x'],
  ['standard', '!=', '', 'x'],
  ['moddio', '==', '', 'x'],
  ['moddio', '!=', '', 'x'],
  ['moddio', '<', '', 'x'],
])('in %s, a list compared in a loop by `%s` as %j', (dialect, operator, operandType, other) => {
  const compared = (length: number) => {
    const list = `[${new Array(length).fill(1).join(',')}]`;
    const parsed = { function: 'stringToObject', string: computed(list) };
    return play(
      {
        variables: { list: { dataType: 'object' }, other: { dataType: 'object' } },
        scripts: {
          a: script('gameStart', [
            set('list', parsed),
            set('other', other === 'x' ? 'x' : parsed),
            {
              type: 'repeat',
              count: 2000,
              actions: [when([{ operator, operandType }, variable('list'), variable('other')], [])],
            },
          ]),
        },
      },
      { dialect, limits: { actionsPerTick: 12_000 } },
    )
      .faults()
      .map(({ code }) => code);
  };

  test('ends the script when it is long', () => {
    expect(compared(4000)).toEqual(['limit-actions']);
  });

  test('is no fault when it is short', () => {
    expect(compared(2)).toEqual([]);
  });
});

test('showing a long text in a loop ends the script', () => {
  const shown = (length: number) =>
    play(
      {
        variables: { long: { dataType: 'string', default: 'a'.repeat(length) } },
        scripts: {
          a: script('gameStart', [
            { type: 'repeat', count: 2000, actions: [{ type: 'sendChatMessage', message: variable('long') }] },
          ]),
        },
      },
      { limits: { actionsPerTick: 10_000 } },
    )
      .faults()
      .map(({ code }) => code);
  expect(shown(10_000)).toEqual(['limit-actions']);
  expect(shown(10)).toEqual([]);
});

const assignType = { type: 'assignPlayerType', entity: { function: 'computerPlayer', number: 1 }, playerType: 'human' };
const queries = [
  { function: 'allUnits' },
  { function: 'getUnitCount' },
  { function: 'allEntities' },
  { function: 'getEntityFromId', string: 'u1' },
  { function: 'allUnitsInRegion', region: { function: 'getEntireMapRegion' } },
];
test.each([...queries.map((value) => set('result', value)), assignType])(
  'an action on many units in a loop ends the script, and on few does not: %j',
  (action) => {
    const make = createUnitAt('unit', { function: 'computerPlayer', number: 1 }, { x: 600, y: 600 });
    const run = (units: number) => {
      const game = play(
        {
          variables: { result: { dataType: 'object' } },
          unitTypes: { unit: unitType({ bodies: { default: body({ collidesWith: {} }) } }) },
          scripts: {
            create: script('gameStart', [{ type: 'repeat', count: units, actions: [make] }]),
            loop: script('secondTick', [{ type: 'repeat', count: 1000, actions: [action] }]),
          },
        },
        { limits: { actionsPerTick: 5000 } },
      );
      game.seconds(1);
      return game.faults().map(({ code }) => code);
    };
    expect(run(60)).toEqual(['limit-actions']);
    expect(run(2)).toEqual([]);
  },
);

test('an action that is more work than is left in the tick has no effect, and ends its script', () => {
  const game = play(
    {
      variables: {
        long: { dataType: 'string', default: 'a'.repeat(128 * 60) },
        result: { dataType: 'string', default: 'none' },
        after: { dataType: 'string', default: 'none' },
      },
      scripts: {
        a: script('gameStart', [
          set('result', { function: 'toUpperCase', string: variable('long') }),
          set('after', 'reached'),
        ]),
      },
    },
    { limits: { actionsPerTick: 40 } },
  );
  game.ticks(1);
  expect(game.faults().map(({ code }) => code)).toEqual(['limit-actions']);
  expect([game.variable('result'), game.variable('after')]).toEqual(['none', 'none']);
});
