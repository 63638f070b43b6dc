import { describe, expect, test } from 'vitest';
import type { IssueCode } from '../../engine/core/issue-codes.ts';
import { checkGame } from '../../src/check/check-game.ts';
import { definitionWith, definitionWithAll, scriptIssues } from '../check/issues.ts';
import { load, script } from '../support/play.ts';

const unit = { function: 'getTriggeringUnit' };
const item = { function: 'getTriggeringItem' };
const player = { function: 'getOwner', entity: unit };
const place = { function: 'getEntityPosition', entity: unit };
const launch = { type: 'createProjectileAtPosition', position: place, force: 1, angle: 0, unit };
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
      { type: 'repeatWithDelay', count: 1, pause: 500, actions: [] },
      '/pause',
      // The editor's spelling of `number`.
      { type: 'repeatWithDelay', count: 1, delay: 500, actions: [] },
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
    [{ type: 'repeat', count: { x: 3 }, actions: [] }, '/count', { type: 'repeat', count: 2, actions: [] }],
    [{ type: 'destroyEntity', entity: 'u1' }, '/entity', { type: 'destroyEntity', entity: item }],
    [
      { type: 'moveEntity', entity: unit, position: 'home' },
      '/position',
      { type: 'moveEntity', entity: unit, position: { x: 100, y: 200 } },
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
    [when([{ operator: 'and' }, is(gold, 1), is(gold, 1)]), '/conditions', when(both(is(gold, 1), is(gold, 1)))],
    [when(both(is(gold, 1), gold)), '/conditions/2', when(both(is(gold, 1), []))],
    [when([{ operator: '==' }, gold]), '/conditions', when([{ operator: '==' }, gold, 0])],
    [when([{ operator: 'OR' }, is(gold, 1)]), '/conditions', when([{ operator: 'OR' }, is(gold, 1), is(gold, 2)])],
    [
      { type: 'while', conditions: both(is(gold, 1), both(is(gold, 1), 'gold')), actions: [{ type: 'break' }] },
      '/conditions/2/2',
      { type: 'while', conditions: both(is(gold, 1), both(is(gold, 1), is(gold, 1))), actions: [{ type: 'break' }] },
    ],
  ],
  'constant-condition': [
    [when(is(1, 2)), '/conditions', when(is(gold, 2))],
    [when(is('a', 'a')), '/conditions', when([{ operator: '==', operandType: 'boolean' }, true, true])],
    [when(both(is(gold, 1), is(true, false))), '/conditions/2', when(both(is(gold, 1), is(true, true)))],
  ],
};

const key = { key: '?' };
const ofEntity = { function: 'getEntityVariable', variable: key };
const ofPlayer = { function: 'getPlayerVariable', variable: key };

/** Actions with a `?` in place of a name: one that does not exist, and one that does. */
const names: readonly (readonly [IssueCode, action: unknown, wrong: string, right: string])[] = [
  ['dangling-script', { type: 'runScript', scriptName: '?' }, 'rset', 'rest'],
  ['dangling-ability', { type: 'castAbility', entity: unit, abilityName: '?' }, 'whisper', 'shout'],
  ['dangling-ability', { type: 'castAbility', entity: unit, abilityName: '?' }, 'dorp', 'drop'],
  ['dangling-ability', { type: 'startCastingAbility', entity: unit, ability: '?' }, 'shout', 'sprint'],
  ['dangling-variable', { type: 'setVariable', variableName: '?', value: 1 }, 'silver', 'gold'],
  ['dangling-variable', set({ function: 'getValueOfEntityVariable', entity: unit, variable: ofEntity }), 'coat', 'hat'],
  ['dangling-variable', { type: 'setPlayerVariable', player, variable: ofPlayer, value: 'red' }, 'hat', 'team'],
  ['dangling-attribute', set({ function: 'getEntityAttribute', entity: unit, attribute: '?' }), 'heatlh', 'health'],
  ['dangling-unit-type', { type: 'changeUnitType', entity: unit, unitType: '?' }, 'runner', 'walker'],
  ['dangling-item-type', { type: 'spawnItem', itemType: '?', position: place }, 'pear', 'apple'],
  ['dangling-projectile-type', { ...launch, projectileType: '?' }, 'rock', 'stone'],
  ['dangling-player-type', { type: 'assignPlayerType', entity: player, playerType: '?' }, 'robot', 'human'],
  ['dangling-state', { type: 'setEntityState', entity: unit, state: '?' }, 'asleep', 'default'],
  ['dangling-animation', { type: 'playEntityAnimation', entity: unit, animation: '?' }, 'bow', 'wave'],
  ['dangling-shop', { type: 'openShopForPlayer', player, shop: '?' }, 'smithy', 'bakery'],
  ['dangling-dialogue', { type: 'openDialogueForPlayer', player, dialogue: '?' }, 'farewell', 'hello'],
  ['dangling-media', { type: 'playSoundAtPosition', sound: '?', position: place }, 'gong', 'bell'],
  // "steps" is a sound of a type; actions can only play sounds of the game.
  ['dangling-media', { type: 'playSoundAtPosition', sound: '?', position: place }, 'steps', 'bell'],
  ['dangling-media', { type: 'playMusic', music: '?' }, 'polka', 'waltz'],
];

/** The pointer to the `?`. A variable is reported as a whole. */
function pointerTo(json: unknown): string | undefined {
  if (json === '?') return '';
  if (json === null || typeof json !== 'object') return undefined;
  for (const [member, value] of Object.entries(json)) {
    const below = pointerTo(value);
    if (below !== undefined) return json === ofEntity || json === ofPlayer ? '' : `/${member}${below}`;
  }
  return undefined;
}

for (const [code, rows] of Object.entries(cases)) {
  describe(code, () => {
    test.each(rows)('%j', (wrong, path, right) => {
      expect(scriptIssues(definitionWith(wrong))).toEqual([`${code} /data/scripts/tale/actions/0${path}`]);
      expect(scriptIssues(definitionWith(right))).toEqual([]);
    });
  });
}

test.each(names)('%s in %j: not "%s", but "%s"', (code, action, wrong, right) => {
  const named = (name: string) => definitionWith(JSON.parse(JSON.stringify(action).replace('"?"', `"${name}"`)));
  expect(scriptIssues(named(wrong))).toEqual([`${code} /data/scripts/tale/actions/0${pointerTo(action)}`]);
  expect(scriptIssues(named(right))).toEqual([]);
});

test('a script of a unit type is not one of the game', () => {
  const ofGame = { type: 'runScript', scriptName: 'greet' };
  const ofUnit = { type: 'runEntityScript', entity: unit, scriptName: 'greet' };
  expect(scriptIssues(definitionWith(ofGame))).toEqual(['dangling-script /data/scripts/tale/actions/0/scriptName']);
  expect(scriptIssues(definitionWith(ofUnit))).toEqual([]);
});

describe('unknown-trigger', () => {
  test('a trigger that no engine fires is reported', () => {
    const data = definitionWithAll({ tale: script(['gameStart', 'unitFallsAsleep'], []) });
    expect(scriptIssues(data)).toEqual(['unknown-trigger /data/scripts/tale/triggers/1']);
  });

  test('an older name is accepted', () => {
    expect(scriptIssues(definitionWithAll({ tale: script('unitPickedAnItem', []) }))).toEqual([]);
  });
});

describe('the condition of a script', () => {
  const guarded = (conditions: unknown) => definitionWithAll({ tale: script('gameStart', [], { conditions }) });

  test('is checked in standard', () => {
    expect(scriptIssues(guarded(is(1, 2)))).toEqual(['constant-condition /data/scripts/tale/conditions']);
    expect(scriptIssues(guarded([{ operator: '<>' }, gold, 1]))).toEqual([
      'malformed-condition /data/scripts/tale/conditions',
    ]);
  });

  test('is not checked in moddio, which ignores it', () => {
    expect(scriptIssues(guarded(is(1, 2)), 'moddio')).toEqual([]);
  });

  test('may be the constant guard that editors write', () => {
    expect(scriptIssues(guarded([{ operator: '==', operandType: 'boolean' }, true, true]))).toEqual([]);
    expect(scriptIssues(guarded(null))).toEqual([]);
  });
});

test('issues suggest similar names', () => {
  const meant = (action: unknown) => checkGame(load(definitionWith(action)))[0]?.suggestion;
  expect(meant({ type: 'destroyEntitiy', entity: unit })).toBe('destroyEntity');
  expect(meant(set({ function: 'getVariabel', variableName: 'gold' }))).toBe('getVariable');
  expect(meant({ type: 'runScript', scriptName: 'resst' })).toBe('rest');
  expect(meant({ type: 'setVariable', variableName: 'golds', value: 1 })).toBe('gold');
  expect(meant({ type: 'playMusic', music: 'polka' })).toBeUndefined();
});

test('issues in scripts of types have their location', () => {
  const data = definitionWithAll({});
  const walker = (data['unitTypes'] as Record<string, Record<string, unknown>>)['walker']!;
  walker['scripts'] = { greet: script('entityCreated', [{ type: 'wave' }]) };
  expect(scriptIssues(data)).toEqual(['unknown-action /data/unitTypes/walker/scripts/greet/actions/0']);
});
