import { describe, expect, test } from 'vitest';
import type { DialectName } from '../../engine/index.ts';
import { checkGame } from '../../src/check/check-game.ts';
import { load, script } from '../support/play.ts';
import { ofWholeGames } from './issues.ts';

type Json = Record<string, unknown>;

const variable = (variableName: string) => ({ function: 'getVariable', variableName });
const set = (variableName: string, value: unknown) => ({ type: 'setVariable', variableName, value });
const add = (variable: string, number: unknown) => ({ type: 'increaseVariableByNumber', variable, number });
const when = (operandType: string, operator: string, left: unknown, right: unknown) => ({
  type: 'condition',
  conditions: [{ operandType, operator }, left, right],
  then: [],
  else: [],
});
const repeat = (conditions: unknown, actions: unknown[]) => ({ type: 'while', conditions, actions });
const below = (left: unknown, right: unknown) => [{ operandType: 'number', operator: '<' }, left, right];
const compute = (...items: unknown[]) => set('gold', { function: 'calculate', items });
const ofHero = (key: string) => ({
  function: 'getValueOfEntityVariable',
  variable: { function: 'getEntityVariable', variable: { key } },
  entity: { function: 'getTriggeringUnit' },
});
const setOfHero = (key: string, value: unknown) => ({
  type: 'setEntityVariable',
  entity: { function: 'getTriggeringUnit' },
  variable: { function: 'getEntityVariable', variable: { key } },
  value,
});

/** A game in which a unit that touches an item runs one list of actions. */
function found(actions: unknown[], scripts: Json = {}, dialect: DialectName = 'standard') {
  return checkGame(
    load({
      variables: {
        gold: { dataType: 'number', default: 1 },
        name: { dataType: 'string', default: '' },
        isOpen: { dataType: 'boolean', default: false },
        crowd: { dataType: 'playerGroup' },
        hunter: { dataType: 'unit', default: 'u1' },
      },
      unitTypes: { hero: { name: 'Hero', variables: { hat: { dataType: 'number' }, home: { dataType: 'string' } } } },
      itemTypes: { axe: { name: 'Axe', variables: { home: { dataType: 'position' } } } },
      scripts: { tale: script('unitTouchesItem', actions), ...scripts },
    }),
    dialect,
  ).filter(({ code }) => !ofWholeGames.has(code));
}
const base = '/data/scripts/tale/actions/0';

/** Code and location below the action, the action, and the suggestion. */
const mistakes: Readonly<Record<string, readonly [issue: string, action: unknown, suggestion?: string]>> = {
  'an operand type that does not exist': [
    'unknown-operand-type /conditions/0/operandType',
    when('nubmer', '==', variable('gold'), 5),
    'number',
  ],
  'a number and a group of players': [
    'unequal-kinds /conditions',
    when('number', '==', variable('gold'), { function: 'allPlayers' }),
  ],
  'the order of a number and a group': [
    'unequal-kinds /conditions',
    when('number', '>', { function: 'allPlayers' }, 1),
  ],
  'a text variable and a number': ['unequal-kinds /conditions', when('string', '==', variable('name'), 5)],
  'a variable of a unit and a text': ['unequal-kinds /conditions', when('number', '==', ofHero('hat'), 'red')],
  'a unit and a player': [
    'unequal-kinds /conditions',
    when('unit', '!=', { function: 'getTriggeringUnit' }, { function: 'getTriggeringPlayer' }),
  ],
  'a text for a number': ['mismatched-assignment /value', set('gold', 'many')],
  'a number kept as text': ['mismatched-assignment /value', set('gold', '5'), '5'],
  'a group for a number': ['mismatched-assignment /value', set('gold', variable('crowd'))],
  'a number for a unit': ['mismatched-assignment /value', set('hunter', 5)],
  'a text for a number of a unit': ['mismatched-assignment /value', setOfHero('hat', 'red')],
  'a loop that counts nothing': ['endless-loop /conditions', repeat(below(variable('gold'), 5), [set('name', 'x')])],
  'a loop for ever': ['endless-loop /conditions', repeat([], [])],
  'a division by 0': ['division-by-zero /value/items/2', compute({ operator: '/' }, variable('gold'), 0)],
  'a division within a sum': [
    'division-by-zero /value/items/2/2',
    compute({ operator: '+' }, 1, [{ operator: '%' }, variable('gold'), '0']),
  ],
};

describe('checks of kinds report', () => {
  test.each(Object.entries(mistakes))('%s', (_title, [issue, action, suggestion]) => {
    const issues = found([action]).filter((each) => each.code !== 'trigger-function-unavailable');
    expect(issues.map((each) => `${each.code} ${each.pointer}`)).toEqual([issue.replace(' ', ` ${base}`)]);
    expect(issues[0]!.suggestion).toBe(suggestion);
    expect(found([{ type: 'condition', conditions: [], then: [{ ...(action as Json), disabled: true }] }])).toEqual([]);
  });

  const sound: Readonly<Record<string, unknown[]>> = {
    'a test whether there is a unit': [when('boolean', '==', variable('hunter'), true)],
    'the id of a unit for a unit, and emptying it': [set('hunter', 'u1'), add('gold', 1), set('hunter', '')],
    'a test whether there is a number': [when('boolean', '!=', variable('gold'), false)],
    'the id of a unit': [set('hunter', 'u1'), when('string', '==', variable('name'), variable('hunter'))],
    'a variable that types declare differently': [when('string', '==', ofHero('home'), 5)],
    'a variable that nobody declares': [when('string', '==', { function: 'undefinedValue' }, 5)],
    'a boolean and a text, which this dialect reads as true': [when('', '==', variable('isOpen'), 'yes')],
    'a boolean and the text of one': [when('string', '==', variable('isOpen'), 'true')],
    'emptying a variable': [set('gold', { function: 'undefinedValue' })],
    'a loop that counts': [repeat(below(variable('gold'), 5), [add('gold', 1)])],
    'a loop that is left': [repeat([], [{ type: 'break' }])],
    'a loop over what a function tells': [repeat(below({ function: 'currentTimeStamp' }, 5), [])],
    'a loop that runs a script': [
      repeat(below(variable('gold'), 5), [{ type: 'runScript', scriptName: 'tale' }]),
      add('gold', 1),
    ],
    'a division by 2': [compute({ operator: '/' }, variable('gold'), 2)],
  };
  test.each(Object.entries(sound))('nothing about %s', (_title, actions) => {
    expect(found(actions)).toEqual([]);
  });

  test.each([
    ['standard', 'A string and a number are equal only if the string is that number.'],
    ['moddio', 'A string and a number are never equal.'],
  ] as const)('says when a text and a number are equal (%s)', (dialect, message) => {
    const issues = found([when('string', '==', variable('name'), 5)], {}, dialect);
    expect(issues.map((each) => each.message)).toEqual([message]);
  });

  test('says that a number and a text that is none are never equal', () => {
    const issues = found([when('number', '==', variable('gold'), 'rich')]);
    expect(issues.map((each) => each.message)).toEqual(['A number and a string are never equal.']);
  });

  test('a boolean and a text are never equal in the dialect that converts neither', () => {
    for (const operandType of ['string', 'boolean']) {
      const compared = [when(operandType, '==', variable('isOpen'), 'true')];
      expect(found(compared, {}, 'moddio')).toMatchObject([
        { code: 'unequal-kinds', message: '"true" in quotes is a string, which a boolean never equals.' },
      ]);
    }
  });

  test('nothing about a loop that starts another script, which writes the variable', () => {
    const item = { type: 'spawnItem', itemType: 'axe', position: { x: 99, y: 99 } };
    const loop = repeat(below(variable('gold'), 5), [item]);
    expect(found([loop], { other: script('entityCreatedGlobal', [add('gold', 1)]) })).toEqual([]);
  });
});
