import { describe, expect, test } from 'vitest';
import { checkGame } from '../../engine/index.ts';
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
function found(actions: unknown[], scripts: Json = {}) {
  return checkGame(
    load({
      variables: {
        gold: { dataType: 'number', default: 0 },
        name: { dataType: 'string', default: '' },
        isOpen: { dataType: 'boolean', default: false },
        crowd: { dataType: 'playerGroup' },
        hunter: { dataType: 'unit' },
      },
      unitTypes: { hero: { name: 'Hero', variables: { hat: { dataType: 'number' }, home: { dataType: 'string' } } } },
      itemTypes: { axe: { name: 'Axe', variables: { home: { dataType: 'position' } } } },
      scripts: { tale: script('unitTouchesItem', actions), ...scripts },
    }),
  ).filter(({ code }) => !ofWholeGames.has(code));
}
const base = '/data/scripts/tale/actions/0';

/** An action, the code and place it is reported with, and what was probably meant. */
const mistakes: readonly (readonly [string, unknown, string, string, string?])[] = [
  [
    'an operand type that does not exist',
    when('nubmer', '==', variable('gold'), 5),
    'unknown-operand-type',
    '/conditions/0/operandType',
    'number',
  ],
  [
    'a number and a group of players',
    when('number', '==', variable('gold'), { function: 'allPlayers' }),
    'unequal-kinds',
    '/conditions',
  ],
  [
    'the order of a number and a group',
    when('number', '>', { function: 'allPlayers' }, 1),
    'unequal-kinds',
    '/conditions',
  ],
  ['a text variable and a number', when('string', '==', variable('name'), 5), 'unequal-kinds', '/conditions'],
  ['a variable of a unit and a text', when('number', '==', ofHero('hat'), 'red'), 'unequal-kinds', '/conditions'],
  [
    'a unit and a player',
    when('unit', '!=', { function: 'getTriggeringUnit' }, { function: 'getTriggeringPlayer' }),
    'unequal-kinds',
    '/conditions',
  ],
  ['a text for a number', set('gold', 'many'), 'mismatched-assignment', '/value'],
  ['a number kept as text', set('gold', '5'), 'mismatched-assignment', '/value', '5'],
  ['a group for a number', set('gold', variable('crowd')), 'mismatched-assignment', '/value'],
  ['a text for a number of a unit', setOfHero('hat', 'red'), 'mismatched-assignment', '/value'],
  ['a loop that counts nothing', repeat(below(variable('gold'), 5), [set('name', 'x')]), 'endless-loop', '/conditions'],
  ['a loop for ever', repeat([], []), 'endless-loop', '/conditions'],
  ['a division by 0', compute({ operator: '/' }, variable('gold'), 0), 'division-by-zero', '/value/items/2'],
  [
    'a division within a sum',
    compute({ operator: '+' }, 1, [{ operator: '%' }, variable('gold'), '0']),
    'division-by-zero',
    '/value/items/2/2',
  ],
];

describe('expressions that cannot mean what they say', () => {
  for (const [title, action, code, place, suggestion] of mistakes) {
    test(title, () => {
      const issues = found([action]).filter((each) => each.code !== 'trigger-function-unavailable');
      expect(issues.map((each) => [each.code, each.pointer])).toEqual([[code, base + place]]);
      expect(issues[0]!.suggestion).toBe(suggestion);
      expect(found([{ type: 'condition', conditions: [], then: [{ ...(action as Json), disabled: true }] }])).toEqual(
        [],
      );
    });
  }

  const sound: readonly (readonly [string, unknown[]])[] = [
    ['a test whether there is a unit', [when('boolean', '==', variable('hunter'), true)]],
    ['a test whether there is a number', [when('boolean', '!=', variable('gold'), false)]],
    ['the id of a unit', [when('string', '==', variable('name'), variable('hunter'))]],
    ['a variable that types declare differently', [when('string', '==', ofHero('home'), 5)]],
    ['a variable that nobody declares', [when('string', '==', { function: 'undefinedValue' }, 5)]],
    ['emptying a variable', [set('gold', { function: 'undefinedValue' })]],
    ['a loop that counts', [repeat(below(variable('gold'), 5), [add('gold', 1)])]],
    ['a loop that is left', [repeat([], [{ type: 'break' }])]],
    ['a loop over what a function tells', [repeat(below({ function: 'currentTimeStamp' }, 5), [])]],
    [
      'a loop that runs a script',
      [repeat(below(variable('gold'), 5), [{ type: 'runScript', scriptName: 'tale' }]), add('gold', 1)],
    ],
    ['a division by 2', [compute({ operator: '/' }, variable('gold'), 2)]],
  ];
  for (const [title, actions] of sound) {
    test(`nothing is said about ${title}`, () => {
      expect(found(actions)).toEqual([]);
    });
  }

  test('nothing is said about a loop over a variable that another script writes', () => {
    const loop = repeat(below(variable('gold'), 5), []);
    expect(found([loop], { other: script('entityCreatedGlobal', [add('gold', 1)]) })).toEqual([]);
  });
});
