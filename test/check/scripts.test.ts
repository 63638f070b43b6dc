import { describe, expect, test } from 'vitest';
import { severityCounts } from '../../engine/core/issue.ts';
import { programsOfGame } from '../../engine/tools.ts';
import { checkGame } from '../../src/check/check-game.ts';
import { delayed, setVariable, when } from '../support/actions.ts';
import { load, script } from '../support/play.ts';
import { definitionWithAll, scriptIssues } from './issues.ts';

type Json = Record<string, unknown>;

const unit = { function: 'getTriggeringUnit' };
const run = (scriptName: string) => ({ type: 'runScript', scriptName });
const runOn = (scriptName: string) => ({ type: 'runEntityScript', entity: { function: 'thisEntity' }, scriptName });
const greet = (key: string) => ({
  type: 'setFadingTextOfUnit',
  unit: { function: key },
  text: 'hello',
  color: 'white',
});

/** A type that has only scripts and their triggers. */
const typed = (scripts: Json, more: Json = {}): Json => ({ name: 'type', scripts, ...more });
const bound = (keyDown: unknown): Json => ({ controls: { abilities: { e: { keyDown } } } });

describe('many issues', () => {
  const greetings = (count: number) => new Array(count).fill(greet('getTriggeringUnit'));
  const wrong = (count: number) => ({
    first: script('secondTick', greetings(count)),
    second: script('secondTick', greetings(count)),
  });

  test('are counted beyond 10,000 of one severity, over all scripts and checks together', () => {
    // The first check finds one issue in each action, the second finds none.
    const list = checkGame(load(definitionWithAll(wrong(6000))));
    const warnings = list.filter(({ severity, code }) => severity === 'warning' && code !== 'more-issues');
    expect(warnings).toHaveLength(10_000);
    const more = list.filter(({ code }) => code === 'more-issues');
    expect(more).toEqual([list.at(-1)]);
    const whole = severityCounts(checkGame(load(definitionWithAll(wrong(10)))));
    expect(more[0]!.count).toBe(12_000 + whole.warning - 20 - 10_000);
  });

  test('are the same after scripts were compiled', () => {
    const data = definitionWithAll(wrong(6000));
    const game = load(data);
    void programsOfGame(game).program().scripts.at(-1)!.code;
    expect(checkGame(game)).toEqual(checkGame(load(data)));
  });
});

describe('unreachable-script', () => {
  test('reports a script without trigger and caller', () => {
    expect(scriptIssues(definitionWithAll({ tale: script([], []) }))).toEqual([
      'unreachable-script /data/scripts/tale',
    ]);
    expect(scriptIssues(definitionWithAll({ tale: script('secondTick', []) }))).toEqual([]);
  });

  test('reports a script whose only trigger is misspelt', () => {
    expect(scriptIssues(definitionWithAll({ tale: script('secondTock', []) }))).toEqual([
      'unknown-trigger /data/scripts/tale/triggers/0',
      'unreachable-script /data/scripts/tale',
    ]);
  });

  test('reports scripts that only call one another', () => {
    const ring = { ping: script([], [run('pong')]), pong: script([], [run('ping')]) };
    expect(scriptIssues(definitionWithAll(ring))).toEqual([
      'endless-recursion /data/scripts/ping/actions/0/scriptName',
      'unreachable-script /data/scripts/ping',
      'unreachable-script /data/scripts/pong',
    ]);
    expect(scriptIssues(definitionWithAll({ ...ring, pang: script('gameStart', [run('pong')]) }))).toEqual([
      'endless-recursion /data/scripts/ping/actions/0/scriptName',
    ]);
  });

  test('ignores a disabled call', () => {
    const data = (disabled: boolean) =>
      definitionWithAll({ tale: script([], []), teller: script('gameStart', [{ ...run('tale'), disabled }]) });
    expect(scriptIssues(data(true))).toEqual([
      'disabled-script /data/scripts/teller',
      'unreachable-script /data/scripts/tale',
    ]);
    expect(scriptIssues(data(false))).toEqual([]);
  });

  test('counts a call inside a delayed branch', () => {
    const later = delayed(100, when([], [run('tale')]));
    expect(scriptIssues(definitionWithAll({ tale: script([], []), teller: script('gameStart', [later]) }))).toEqual([]);
  });

  const own = { tale: script([], []) };
  const starts: readonly (readonly [string, Json])[] = [
    ['a key', { unitTypes: { a: typed({}, bound({ scriptName: 'tale', cost: {} })) } }],
    [
      'a key going up',
      { unitTypes: { a: typed({}, { controls: { abilities: { e: { keyUp: { scriptName: 'tale' } } } } }) } },
    ],
    [
      'a key of the older map',
      { unitTypes: { a: typed({}, { abilities: { e: { keyDown: { scriptName: 'tale' } } } }) } },
    ],
    ['an ability', { abilities: { tell: { name: 'tell', scriptName: 'tale' } } }],
    [
      'an ability of a unit type',
      {
        unitTypes: {
          a: typed(
            {},
            {
              controls: {
                abilities: {},
                unitAbilities: { tell: { name: 'tell', eventScripts: { stopCasting: 'tale' } } },
              },
            },
          ),
        },
      },
    ],
    ['an effect of a unit', { unitTypes: { a: typed({}, { effects: { attacked: { runScript: 'tale' } } }) } }],
    ['an effect of an item', { itemTypes: { a: typed({}, { effects: { create: { runScript: 'tale' } } }) } }],
    [
      'an effect of a projectile',
      { projectileTypes: { a: typed({}, { effects: { destroy: { runScript: 'tale' } } }) } },
    ],
    ['a choice in a dialogue', { dialogues: { ask: { name: 'ask', options: [{ name: 'yes', scriptName: 'tale' }] } } }],
  ];
  test.each(starts)('counts %s as a start', (_name, more) => {
    const issues = scriptIssues(definitionWithAll(own, { abilities: {}, ...more }));
    expect(issues.filter((issue) => !issue.startsWith('dangling-script'))).toEqual([]);
    expect(scriptIssues(definitionWithAll(own))).toEqual(['unreachable-script /data/scripts/tale']);
  });

  test('ignores an effect that only clients play', () => {
    const data = definitionWithAll(
      {},
      { itemTypes: { a: typed({ tale: script([], []) }, { effects: { use: { runScript: 'tale' } } }) } },
    );
    expect(scriptIssues(data)).toEqual(['unreachable-script /data/itemTypes/a/scripts/tale']);
  });

  test("resolves a name to the type's own script only, if there is one", () => {
    const data = definitionWithAll(own, {
      unitTypes: { a: typed({ tale: script([], []) }, bound({ scriptName: 'tale', cost: {} })) },
    });
    expect(scriptIssues(data)).toEqual(['unreachable-script /data/scripts/tale']);
  });

  test('counts a call on an entity as a start of the scripts of that name in all types', () => {
    const call = { ...runOn('tale'), entity: { function: 'getLastCreatedUnit' } };
    const data = definitionWithAll(
      { teller: script('gameStart', [call]) },
      {
        unitTypes: { original: typed({ tale: script([], []) }), copy: typed({ tale: script([], []) }) },
        itemTypes: { other: typed({ tale: script([], []) }) },
      },
    );
    expect(scriptIssues(data)).toEqual([]);
  });

  test('ignores a call from another type', () => {
    const data = (call: unknown) =>
      definitionWithAll(
        {},
        { unitTypes: { a: typed({ tale: script([], []) }), b: typed({ teller: script('entityCreated', [call]) }) } },
      );
    expect(scriptIssues(data(run('tale')))).toEqual([
      'dangling-script /data/unitTypes/b/scripts/teller/actions/0/scriptName',
      'unreachable-script /data/unitTypes/a/scripts/tale',
    ]);
    expect(scriptIssues(data({ ...runOn('tale'), entity: { function: 'getLastCreatedUnit' } }))).toEqual([]);
    expect(scriptIssues(data(runOn('tale')))).toEqual([
      'dangling-script /data/unitTypes/b/scripts/teller/actions/0/scriptName',
    ]);
  });
});

describe('no-emitted-trigger', () => {
  test.each([
    ['a trigger that needs a client', 'unheard-trigger', ['renderTick'], ['secondTick']],
    ['a trigger that units hear, in a global script', 'no-emitted-trigger', ['thisUnitUsesItem'], ['unitUsesItem']],
    ['several of them', 'no-emitted-trigger', ['thisUnitUsesItem', 'entityCreated'], ['renderTick', 'frameTick']],
  ])('%s', (_name, code, deaf, hearing) => {
    expect(scriptIssues(definitionWithAll({ tale: script(deaf, []) }))).toEqual([
      `${code} /data/scripts/tale/triggers`,
    ]);
    expect(scriptIssues(definitionWithAll({ tale: script(hearing, []) }))).toEqual([]);
  });

  test.each([
    ['unitTypes', 'unitTouchesUnit', 'entityTouchesUnit'],
    ['itemTypes', 'thisUnitPicksUpItem', 'thisItemIsPickedUp'],
    ['projectileTypes', 'projectileTouchesWall', 'entityTouchesWall'],
  ])('in %s: %s, but not %s', (section, deaf, hearing) => {
    const data = (trigger: string) => definitionWithAll({}, { [section]: { a: typed({ tale: script(trigger, []) }) } });
    expect(scriptIssues(data(deaf))).toEqual([`no-emitted-trigger /data/${section}/a/scripts/tale/triggers`]);
    expect(scriptIssues(data(hearing))).toEqual([]);
  });

  test('reports triggers that never fire even if the script is called', () => {
    const data = definitionWithAll({ tale: script('renderTick', []), teller: script('gameStart', [run('tale')]) });
    expect(scriptIssues(data)).toEqual(['unheard-trigger /data/scripts/tale/triggers']);
  });
});

describe('trigger-function-unavailable', () => {
  const at = (scripts: Json) => scriptIssues(definitionWithAll(scripts));
  const here = 'trigger-function-unavailable /data/scripts/tale/actions/0/unit';

  test('reports a function whose value no trigger provides', () => {
    expect(at({ tale: script('secondTick', [greet('getTriggeringUnit')]) })).toEqual([here]);
    expect(at({ tale: script(['secondTick', 'unitTouchesWall'], [greet('getTriggeringUnit')]) })).toEqual([]);
  });

  test.each([
    ['getTriggeringUnit', 'playerJoinsGame', 'unitUsesItem'],
    ['getTriggeringItem', 'unitTouchesUnit', 'unitPicksUpItem'],
    ['getTriggeringProjectile', 'unitTouchesUnit', 'unitTouchesProjectile'],
    ['getTriggeringPlayer', 'unitTouchesUnit', 'playerLeavesGame'],
    ['getTriggeringRegion', 'unitTouchesWall', 'unitEntersRegion'],
    ['getTriggeringAttribute', 'secondTick', 'playerAttributeBecomesFull'],
    ['getTriggeringEntity', 'gameStart', 'entityCreatedGlobal'],
  ])('%s: not with %s, with %s', (name, without, withIt) => {
    const scripts = (trigger: string) => ({
      tale: script(trigger, [setVariable('thing', { function: name })]),
    });
    expect(at(scripts(without))).toEqual(['trigger-function-unavailable /data/scripts/tale/actions/0/value']);
    expect(at(scripts(withIt))).toEqual([]);
  });

  test('accepts a value that a trigger provides sometimes', () => {
    const data = definitionWithAll(
      {},
      {
        itemTypes: {
          a: typed({
            tale: script('entityTouchesUnit', [{ type: 'stopUsingItem', entity: { function: 'getTriggeringItem' } }]),
          }),
        },
      },
    );
    expect(scriptIssues(data)).toEqual([]);
  });

  test('follows values through chains of callers', () => {
    const chain = (trigger: string) => ({
      tale: script([], [greet('getTriggeringUnit')]),
      second: script([], [run('tale')]),
      first: script(trigger, [run('second')]),
    });
    expect(at(chain('unitTouchesUnit'))).toEqual([]);
    expect(at(chain('secondTick'))).toEqual([here]);
  });

  test('accepts a value that one caller provides', () => {
    const both = {
      tale: script([], [greet('getTriggeringUnit')]),
      knows: script('unitTouchesUnit', [run('tale')]),
      doesNot: script('secondTick', [run('tale')]),
    };
    expect(at(both)).toEqual([]);
  });

  test('knows that abilities provide the casting unit, and dialogues no unit', () => {
    const tale = { tale: script([], [greet('getTriggeringUnit')]) };
    const tell = { abilities: { tell: { name: 'tell', scriptName: 'tale' } } };
    const ask = { dialogues: { ask: { name: 'ask', options: [{ name: 'yes', scriptName: 'tale' }] } } };
    expect(scriptIssues(definitionWithAll(tale, tell))).toEqual([]);
    expect(scriptIssues(definitionWithAll(tale, ask))).toEqual([here]);
  });

  test('knows that effects provide their entity', () => {
    const data = (name: string) =>
      definitionWithAll(
        {},
        {
          itemTypes: {
            a: typed(
              { tale: script([], [{ type: 'destroyEntity', entity: { function: name } }]) },
              { effects: { create: { runScript: 'tale' } } },
            ),
          },
        },
      );
    expect(scriptIssues(data('getTriggeringItem'))).toEqual([]);
    expect(scriptIssues(data('getTriggeringUnit'))).toEqual([
      'trigger-function-unavailable /data/itemTypes/a/scripts/tale/actions/0/entity',
    ]);
  });

  test('does not report scripts that nothing starts', () => {
    expect(at({ tale: script([], [greet('getTriggeringUnit')]) })).toEqual(['unreachable-script /data/scripts/tale']);
  });

  test('names every location, also in conditions and delayed actions', () => {
    const late = delayed(100, { type: 'destroyEntity', entity: unit });
    const test = when([{ operator: '==' }, unit, { function: 'getLastCreatedUnit' }], []);
    expect(at({ tale: script('gameStart', [late, test]) })).toEqual([
      'trigger-function-unavailable /data/scripts/tale/actions/0/actions/0/entity',
      'trigger-function-unavailable /data/scripts/tale/actions/1/conditions/1',
    ]);
  });

  test('names what is missing and what was found', () => {
    const issue = checkGame(
      load(definitionWithAll({ tale: script('secondTick', [greet('getTriggeringUnit')], { name: 'a tale' }) })),
    ).find(({ code }) => code === 'trigger-function-unavailable');
    expect(issue).toMatchObject({ expected: 'a trigger that provides a `unit`', found: 'secondTick' });
    expect(issue?.message).toContain('a tale');
  });
});
