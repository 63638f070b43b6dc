import { describe, expect, test } from 'vitest';
import type { IssueCode } from '../../engine/core/issue-codes.ts';
import { checkGame } from '../../engine/index.ts';
import { load, script } from '../support/play.ts';
import { definitionWith, definitionWithAll, scriptIssues } from './issues.ts';

const unit = { function: 'getTriggeringUnit' };
const item = { function: 'getTriggeringItem' };
const player = { function: 'getOwner', entity: unit };
const place = { function: 'getEntityPosition', entity: unit };
const gold = { function: 'getVariable', variableName: 'gold' };
const set = (value: unknown) => ({ type: 'setVariable', variableName: 'thing', value });
const when = (conditions: unknown) => ({ type: 'condition', conditions, then: [], else: [] });
const is = (left: unknown, right: unknown) => [{ operator: '==', operandType: 'number' }, left, right];
const both = (left: unknown, right: unknown) => [{ operator: 'AND', operandType: 'and' }, left, right];

/** The mistake, its location below the action, and the corrected version. */
type Case = readonly [wrong: unknown, path: string, right: unknown];

const cases: Partial<Record<IssueCode, readonly Case[]>> = {
  'unknown-action': [
    [{ type: 'createUnitAtPositoin' }, '', { type: 'endGame' }],
    [
      { type: 'repeat', count: 2, actions: [{ type: 'danceWithUnit' }] },
      '/actions/0',
      { type: 'repeat', count: 2, actions: [{ type: 'danceWithUnit', disabled: true }] },
    ],
  ],
  'unknown-function': [
    [set({ function: 'getVariabel', variableName: 'gold' }), '/value', set(gold)],
    [when(is({ function: 'numberOfMoons' }, 1)), '/conditions/1', when(is(gold, 1))],
  ],
  'malformed-action': [
    ['destroyEntity', '', { type: 'destroyEntity', entity: unit }],
    [['destroyEntity', unit], '', null],
    [{ entity: unit }, '', { type: 'comment', comment: 'nothing to do' }],
    [{ type: '' }, '', { type: 'return' }],
    [
      { type: 'repeat', count: 1, actions: { type: 'endGame' } },
      '/actions',
      { type: 'repeat', count: 1, actions: [{ type: 'endGame' }] },
    ],
    [{ type: 'repeat', count: 1, actions: [7] }, '/actions/0', { type: 'repeat', count: 1, actions: [] }],
  ],
  'unknown-parameter': [
    [{ type: 'destroyEntity', entity: unit, unit }, '/unit', { type: 'destroyEntity', entity: unit }],
    [
      set({ function: 'mathFloor', value: 1.5, number: 2 }),
      '/value/number',
      set({ function: 'mathFloor', value: 1.5 }),
    ],
    [
      { type: 'repeat', count: 1, times: 2, actions: [] },
      '/times',
      // Members that editors leave in a node are not parameters.
      {
        type: 'repeat',
        count: 1,
        actions: [],
        vars: [],
        comment: 'once',
        runMode: 0,
        hasFixedCSP: null,
        actionId: 'x',
      },
    ],
    [
      { type: 'repeatWithDelay', count: 1, pause: 5, actions: [] },
      '/pause',
      // The editor's spelling of `number`.
      { type: 'repeatWithDelay', count: 1, delay: 5, actions: [] },
    ],
  ],
  'missing-parameter': [
    [{ type: 'destroyEntity' }, '', { type: 'destroyEntity', entity: unit }],
    [{ type: 'destroyEntity', entity: null }, '/entity', { type: 'destroyEntity', entity: unit }],
    [set({ function: 'getEntityPosition' }), '/value', set(place)],
    [
      { type: 'repeat', actions: [{ type: 'endGame' }] },
      '',
      { type: 'repeat', count: 1, actions: [{ type: 'endGame' }] },
    ],
    [when(is(null, gold)), '/conditions/1', when(is(0, gold))],
    [{ type: 'runScript', scriptName: null }, '/scriptName', { type: 'runScript', scriptName: 'rest' }],
  ],
  'wrong-parameter': [
    [{ type: 'repeat', count: true, actions: [] }, '/count', { type: 'repeat', count: '3', actions: [] }],
    [{ type: 'repeat', count: 'often', actions: [] }, '/count', { type: 'repeat', count: gold, actions: [] }],
    [{ type: 'repeat', count: [3], actions: [] }, '/count', { type: 'repeat', count: 3, actions: [] }],
    [{ type: 'repeat', count: { x: 3 }, actions: [] }, '/count', { type: 'repeat', count: 2.5, actions: [] }],
    [{ type: 'destroyEntity', entity: 'u1' }, '/entity', { type: 'destroyEntity', entity: item }],
    [
      { type: 'moveEntity', entity: unit, position: 'home' },
      '/position',
      { type: 'moveEntity', entity: unit, position: { x: 1, y: 2 } },
    ],
    [
      { type: 'forAllUnits', unitGroup: 'all', actions: [] },
      '/unitGroup',
      { type: 'forAllUnits', unitGroup: { function: 'allUnits' }, actions: [] },
    ],
    [{ type: 'runScript', scriptName: gold }, '/scriptName', { type: 'runScript', scriptName: 'rest' }],
    [{ type: 'runScript', scriptName: 5 }, '/scriptName', { type: 'runScript', scriptName: 'rest' }],
    [
      { type: 'increaseVariableByNumber', variable: gold, number: 1 },
      '/variable',
      { type: 'increaseVariableByNumber', variable: 'gold', number: 1 },
    ],
    [
      { type: 'setEntityAttribute', entity: unit, attribute: true, value: 1 },
      '/attribute',
      { type: 'setEntityAttribute', entity: unit, attribute: 'health', value: '1' },
    ],
  ],
  'malformed-condition': [
    [when('true'), '/conditions', when([])],
    [when([true, true, true]), '/conditions', when(undefined)],
    [when(['==', gold, 1]), '/conditions', when(is(gold, 1))],
    [
      when([{ operator: '===', operandType: 'number' }, gold, 1]),
      '/conditions',
      when([{ operator: '>=', operandType: 'number' }, gold, 1]),
    ],
    [when([{ operator: 'and' }, is(gold, 1), is(gold, 2)]), '/conditions', when(both(is(gold, 1), is(gold, 2)))],
    [when(both(is(gold, 1), gold)), '/conditions/2', when(both(is(gold, 1), []))],
    [when([{ operator: '==' }, gold]), '/conditions', when([{ operator: '==' }, gold, 0])],
    [when([{ operator: 'OR' }, is(gold, 1)]), '/conditions', when([{ operator: 'OR' }, is(gold, 1), is(gold, 2)])],
    [
      { type: 'while', conditions: both(is(gold, 1), both(is(gold, 2), 'gold')), actions: [{ type: 'break' }] },
      '/conditions/2/2',
      { type: 'while', conditions: both(is(gold, 1), both(is(gold, 2), is(gold, 3))), actions: [{ type: 'break' }] },
    ],
  ],
  'constant-condition': [
    [when(is(1, 2)), '/conditions', when(is(gold, 2))],
    [when(is('a', 'a')), '/conditions', when([{ operator: '==', operandType: 'boolean' }, true, true])],
    [when(both(is(gold, 1), is(true, false))), '/conditions/2', when(both(is(gold, 1), is(true, true)))],
  ],
  'dangling-script': [
    [{ type: 'runScript', scriptName: 'rset' }, '/scriptName', { type: 'runScript', scriptName: 'rest' }],
    // It exists, but as an attribute of units, not of the game.
    [
      { type: 'runScript', scriptName: 'greet' },
      '/scriptName',
      { type: 'runEntityScript', entity: unit, scriptName: 'greet' },
    ],
  ],
  'dangling-ability': [
    [
      { type: 'castAbility', entity: unit, abilityName: 'whisper' },
      '/abilityName',
      { type: 'castAbility', entity: unit, abilityName: 'shout' },
    ],
    [
      { type: 'castAbility', entity: unit, abilityName: 'dorp' },
      '/abilityName',
      { type: 'castAbility', entity: unit, abilityName: 'drop' },
    ],
    [
      { type: 'startCastingAbility', entity: unit, ability: 'shout' },
      '/ability',
      { type: 'startCastingAbility', entity: unit, ability: 'sprint' },
    ],
  ],
  'dangling-variable': [
    [
      { type: 'setVariable', variableName: 'silver', value: 1 },
      '/variableName',
      { type: 'setVariable', variableName: 'gold', value: 1 },
    ],
    [
      set({
        function: 'getValueOfEntityVariable',
        entity: unit,
        variable: { function: 'getEntityVariable', variable: { key: 'coat' } },
      }),
      '/value/variable',
      set({
        function: 'getValueOfEntityVariable',
        entity: unit,
        variable: { function: 'getEntityVariable', variable: { key: 'hat' } },
      }),
    ],
    [
      {
        type: 'setPlayerVariable',
        player,
        variable: { function: 'getPlayerVariable', variable: { key: 'hat' } },
        value: 'red',
      },
      '/variable',
      {
        type: 'setPlayerVariable',
        player,
        variable: { function: 'getPlayerVariable', variable: { key: 'team' } },
        value: 'red',
      },
    ],
  ],
  'dangling-attribute': [
    [
      set({ function: 'getEntityAttribute', entity: unit, attribute: 'heatlh' }),
      '/value/attribute',
      set({ function: 'getEntityAttribute', entity: unit, attribute: 'health' }),
    ],
  ],
  'dangling-unit-type': [
    [
      { type: 'changeUnitType', entity: unit, unitType: 'runner' },
      '/unitType',
      { type: 'changeUnitType', entity: unit, unitType: 'walker' },
    ],
  ],
  'dangling-item-type': [
    [
      { type: 'spawnItem', itemType: 'pear', position: place },
      '/itemType',
      { type: 'spawnItem', itemType: 'apple', position: place },
    ],
  ],
  'dangling-projectile-type': [
    [
      { type: 'createProjectileAtPosition', projectileType: 'rock', position: place, force: 1, angle: 0, unit },
      '/projectileType',
      { type: 'createProjectileAtPosition', projectileType: 'stone', position: place, force: 1, angle: 0, unit },
    ],
  ],
  'dangling-player-type': [
    [
      { type: 'assignPlayerType', entity: player, playerType: 'robot' },
      '/playerType',
      { type: 'assignPlayerType', entity: player, playerType: 'human' },
    ],
  ],
  'dangling-state': [
    [
      { type: 'setEntityState', entity: unit, state: 'asleep' },
      '/state',
      { type: 'setEntityState', entity: unit, state: 'default' },
    ],
  ],
  'dangling-animation': [
    [
      { type: 'playEntityAnimation', entity: unit, animation: 'bow' },
      '/animation',
      { type: 'playEntityAnimation', entity: unit, animation: 'wave' },
    ],
  ],
  'dangling-shop': [
    [
      { type: 'openShopForPlayer', player, shop: 'smithy' },
      '/shop',
      { type: 'openShopForPlayer', player, shop: 'bakery' },
    ],
  ],
  'dangling-dialogue': [
    [
      { type: 'openDialogueForPlayer', player, dialogue: 'farewell' },
      '/dialogue',
      { type: 'openDialogueForPlayer', player, dialogue: 'hello' },
    ],
  ],
  'dangling-media': [
    [
      { type: 'playSoundAtPosition', sound: 'gong', position: place },
      '/sound',
      { type: 'playSoundAtPosition', sound: 'bell', position: place },
    ],
    [
      // Names of types are theirs alone.
      { type: 'playSoundAtPosition', sound: 'steps', position: place },
      '/sound',
      { type: 'playSoundAtPosition', sound: 'bell', position: place },
    ],
    [{ type: 'playMusic', music: 'polka' }, '/music', { type: 'playMusic', music: 'waltz' }],
  ],
};

for (const [code, rows] of Object.entries(cases)) {
  describe(code, () => {
    test.each(rows)('%j', (wrong, path, right) => {
      expect(scriptIssues(definitionWith(wrong))).toEqual([`${code} /data/scripts/tale/actions/0${path}`]);
      expect(scriptIssues(definitionWith(right))).toEqual([]);
    });
  });
}

describe('unknown-trigger', () => {
  test('a trigger that no engine fires', () => {
    const data = definitionWithAll({ tale: script(['gameStart', 'unitFallsAsleep'], []) });
    expect(scriptIssues(data)).toEqual(['unknown-trigger /data/scripts/tale/triggers/1']);
  });

  test('an older name is no unknown name', () => {
    expect(scriptIssues(definitionWithAll({ tale: script('unitPickedAnItem', []) }))).toEqual([]);
  });
});

describe('the condition of a script', () => {
  const guarded = (conditions: unknown) => definitionWithAll({ tale: script('gameStart', [], { conditions }) });

  test('is checked where it counts', () => {
    expect(scriptIssues(guarded(is(1, 2)))).toEqual(['constant-condition /data/scripts/tale/conditions']);
    expect(scriptIssues(guarded([{ operator: '<>' }, gold, 1]))).toEqual([
      'malformed-condition /data/scripts/tale/conditions',
    ]);
  });

  test('and left alone where no engine reads it', () => {
    expect(scriptIssues(guarded(is(1, 2)), 'moddio')).toEqual([]);
  });

  test('the guard that editors write is none', () => {
    expect(scriptIssues(guarded([{ operator: '==', operandType: 'boolean' }, true, true]))).toEqual([]);
    expect(scriptIssues(guarded(null))).toEqual([]);
  });
});

test('a slip of the pen is answered with what was perhaps meant', () => {
  const meant = (action: unknown) => checkGame(load(definitionWith(action)))[0]?.suggestion;
  expect(meant({ type: 'destroyEntitiy', entity: unit })).toBe('destroyEntity');
  expect(meant(set({ function: 'getVariabel', variableName: 'gold' }))).toBe('getVariable');
  expect(meant({ type: 'runScript', scriptName: 'resst' })).toBe('rest');
  expect(meant({ type: 'setVariable', variableName: 'golds', value: 1 })).toBe('gold');
  expect(meant({ type: 'playMusic', music: 'polka' })).toBeUndefined();
});

test('scripts in entity types are pointed at where they are', () => {
  const data = definitionWithAll({});
  const walker = (data['unitTypes'] as Record<string, Record<string, unknown>>)['walker']!;
  walker['scripts'] = { greet: script('entityCreated', [{ type: 'wave' }]) };
  expect(scriptIssues(data)).toEqual(['unknown-action /data/unitTypes/walker/scripts/greet/actions/0']);
});
