import { describe, expect, test } from 'vitest';
import { createUnitAt, setVariable } from '../support/actions.ts';
import { script } from '../support/play.ts';
import { note, noting, trailOf, variable } from '../support/trail.ts';
import { call, go, increase, type Json, later, ready, repeat, trail, when } from './forms-scene.ts';

/** Creates one more unit of the first computer player. */
const make = createUnitAt('unit', { function: 'getPlayerFromId', string: 'c1' }, { x: 9, y: 9 });

describe('a limit stops the script and not the game:', () => {
  const forever: Json = { type: 'while', conditions: [], actions: [increase('n')] };
  const other = { frame: noting('frame', 'frameTick') };

  test('rounds of one loop', () => {
    const s = go(ready([note('before'), forever, note('after')], { limits: { loopIterations: 50 }, scripts: other }));
    expect(trailOf(s)).toBe('before');
    expect(s.variable('n')).toBe(50);
    expect(s.faults().map(({ code, at }) => [code, at])).toEqual([['limit-loop', 'scripts/go/actions/1']]);
    s.ticks(2);
    expect(trailOf(s)).toBe('before frame frame');
  });

  test('each loop counts its own rounds', () => {
    const s = go(ready([repeat(40, repeat(40, increase('n')))], { limits: { loopIterations: 50 } }));
    expect(s.variable('n')).toBe(1600);
    expect(s.faults()).toEqual([]);
  });

  test("a called script that exceeds the limit of rounds does not stop the caller's loop", () => {
    const scripts = { inner: script([], [forever]) };
    const s = go(ready([repeat(3, call('inner'), note('x'))], { limits: { loopIterations: 50 }, scripts }));
    expect(trailOf(s)).toBe('x x x');
    expect(s.variable('n')).toBe(150);
  });

  test('actions of one tick, over all scripts', () => {
    const scripts = {
      greedy: script('frameTick', [repeat(1000, increase('n'))]),
      after: noting('frame', 'frameTick'),
    };
    const s = ready([], { limits: { actionsPerTick: 100 }, scripts });
    s.ticks(1);
    expect(s.variable('n')).toBe(99);
    expect(s.faults().every(({ code }) => code === 'limit-actions')).toBe(true);
    s.ticks(1);
    expect(s.variable('n')).toBe(198);
    expect(s.sim.tick).toBe(2);
  });

  test('actions of one tick, used up in a called script, stop the caller as well', () => {
    const scripts = { inner: script([], [repeat(1000, increase('n'))]) };
    const s = ready([call('inner'), note('caller')], { limits: { actionsPerTick: 100 }, scripts });
    s.ticks(1);
    go(s);
    expect(trailOf(s)).toBe('');
  });

  test('depth of calls', () => {
    const scripts = { deeper: script([], [increase('n'), call('deeper'), note('up')]) };
    const s = go(ready([call('deeper'), note('go')], { limits: { scriptDepth: 10 }, scripts }));
    expect(s.variable('n')).toBe(9);
    expect(s.faults().map(({ code }) => code)).toEqual(['limit-depth']);
    expect(trailOf(s)).toBe('up up up up up up up up up go');
  });

  test('depth of triggers that cause themselves', () => {
    const scripts = { made: script('entityCreatedGlobal', [increase('n'), make]) };
    const s = go(ready([make], { limits: { scriptDepth: 10 }, scripts }));
    expect(s.variable('n')).toBe(9);
    expect(s.faults().map(({ code }) => code)).toEqual(['limit-depth']);
  });

  test('default depth of calls, which fits on the stack', () => {
    const scripts = { deeper: script([], [increase('n'), when([], [repeat(1, call('deeper'))])]) };
    const s = go(ready([call('deeper')], { scripts }));
    expect(s.variable('n')).toBe(127);
    expect(s.faults().map(({ code }) => code)).toEqual(['limit-depth']);
  });

  test('pending timers', () => {
    const s = go(ready([repeat(5, later(100, note('x'))), note('now')], { limits: { timers: 3 } }));
    expect(s.faults()).toEqual([{ code: 'limit-timers', at: 'scripts/go/actions/0/actions/0', count: 2 }]);
    s.seconds(1);
    expect(trailOf(s)).toBe('now x x x');
  });

  test('entities', () => {
    const s = ready([repeat(200, make), note('after')], { limits: { entities: 60 } });
    go(s);
    expect(s.world.entityCount).toBe(60);
    expect(s.faults().map(({ code }) => code)).toContain('limit-entities');
    expect(trailOf(s)).toBe('after');
    s.ticks(1);
  });

  test('length of texts', () => {
    const twice = { function: 'concat', textA: variable('text'), textB: variable('text') };
    const s = go(
      ready([repeat(10, setVariable('text', twice)), note('after')], {
        limits: { stringLength: 100 },
      }),
    );
    expect(String(s.variable('text'))).toHaveLength(100);
    expect(s.faults().map(({ code }) => code)).toEqual(['limit-string']);
    expect(trailOf(s)).toBe('after');
  });
});

describe('an action that fails', () => {
  const wrong: readonly (readonly [string, unknown])[] = [
    ['an operand that fails', setVariable('n', { function: 'calculate', items: [{ operator: '+' }, '', 1] })],
    ['an undeclared variable', setVariable('nobody', 1)],
    ['an unknown type', createUnitAt('dragon', { function: 'getPlayerFromId', string: 'c1' }, { x: 1, y: 1 })],
    ['a malformed condition', when([{ operator: 'AND' }, true, true], [])],
    ['an unknown action', { type: 'danceWithUnit' }],
    ['an entity that is null', { type: 'destroyEntity', entity: null }],
  ];
  test.each(wrong)('%s: the next action runs', (_name, action) => {
    for (const actions of [
      [action, note('next')],
      [when([], [action, note('next')])],
      [repeat(1, action), note('next')],
    ]) {
      const s = go(ready(actions));
      expect(trailOf(s)).toBe('next');
      expect(s.faults()).toHaveLength(1);
    }
  });

  test('does not end its loop', () => {
    expect(trailOf(go(ready([repeat(3, wrong[1]![1], note('x')), note('y')])))).toBe('x x x y');
  });

  test.each([
    ['is disabled by `is disabled by `disabled: true``', { disabled: true }, ''],
    ['is disabled by `is disabled by `disabled: 1``', { disabled: 1 }, ''],
    ['is not disabled by `is not disabled by `disabled: false``', { disabled: false }, 'x'],
    ['runs with `runMode` 0', { runMode: 0 }, 'x'],
    ['is skipped with `runMode` 1, which means clients only', { runMode: 1 }, ''],
    ['runs with `runMode` 2', { runMode: 2 }, 'x'],
    ['runs with `runs with `runOnClient``', { runOnClient: true }, 'x'],
  ])('%s', (_name, more, expected) => {
    expect(trail([{ ...note('x'), ...more }])).toBe(expected);
    // Disabling a form disables its actions.
    expect(trail([{ ...repeat(1, note('x')), ...more }])).toBe(expected);
    expect(trail([null, { ...note('x'), ...more }])).toBe(expected);
  });
});
