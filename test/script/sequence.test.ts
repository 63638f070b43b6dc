import { expect, test } from 'vitest';
import type { DialectName } from '../../engine/index.ts';
import { type SequenceNode, sequence } from '../../engine/script/compiling/sequence.ts';
import { constantSource, sourceOf } from '../../engine/script/compiling/source.ts';
import { newContext, OperandFault, type Signal } from '../../engine/script/running/context.ts';
import { internalsOf } from '../../engine/tools.ts';
import type { Limits } from '../../engine/world/limits.ts';
import { setVariable } from '../support/actions.ts';
import { script } from '../support/play.ts';
import { call, compare, go, increase, later, ready, repeat, when } from './forms-scene.ts';
import { Scene } from './values/harness.ts';

const dialects: readonly DialectName[] = ['standard', 'moddio'];

/** A game with a script of three actions, whose source locations the parts use. */
const scene = () =>
  new Scene({
    scripts: {
      s: script(
        [],
        [0, 1, 2].map(() => ({ type: 'break' })),
      ),
    },
  });

/** How an action or a test ends: it continues, ends the list by a signal, fails, or fails and ends its list. */
type Way = Signal | 'fails' | 'ends';

function thrown(way: 'fails' | 'ends'): OperandFault {
  const fault = new OperandFault('wrong-value', 'It fails.');
  fault.endsList = way === 'ends';
  return fault;
}

/** Runs a list whose parts record their names. Returns the names, how the list ended, and the number of faults. */
function run(list: (act: (name: string, way?: Way) => SequenceNode, fork: Fork) => SequenceNode[]): string {
  const { sim } = scene();
  const { runtime } = internalsOf(sim);
  const trail: string[] = [];
  const act = (name: string, way: Way = 0): SequenceNode => ({
    location: 0,
    step() {
      trail.push(name);
      if (typeof way === 'string') throw thrown(way);
      return way;
    },
  });
  const fork: Fork = (name, way, yes, no = []) => ({
    location: 0,
    test: sourceOf(() => {
      trail.push(name);
      if (typeof way === 'string') throw thrown(way);
      return way;
    }),
    yes,
    no,
  });
  let end: string;
  try {
    end = String(sequence(list(act, fork))(newContext(runtime)));
  } catch (error) {
    end = String(error);
  }
  return `${trail.join(' ')} -> ${end}, ${sim.faults().reduce((all, { count }) => all + count, 0)} faults`;
}
type Fork = (name: string, way: boolean | 'fails' | 'ends', yes: SequenceNode[], no?: SequenceNode[]) => SequenceNode;

test.each<[string, Parameters<typeof run>[0], string]>([
  ['an empty list', () => [], ' -> 0, 0 faults'],
  ['actions in their order', (act) => [act('a'), act('b')], 'a b -> 0, 0 faults'],
  ['a signal ends the list', (act) => [act('a'), act('b', 1), act('c')], 'a b -> 1, 0 faults'],
  ['the action after one that fails runs', (act) => [act('a', 'fails'), act('b')], 'a b -> 0, 1 faults'],
  ['one that ends the list', (act) => [act('a', 'ends'), act('b')], 'a -> Symbol(the end of an action list), 1 faults'],
  ['a true test', (act, fork) => [fork('t', true, [act('a')], [act('b')]), act('c')], 't a c -> 0, 0 faults'],
  ['a false test', (act, fork) => [fork('t', false, [act('a')], [act('b')]), act('c')], 't b c -> 0, 0 faults'],
  ['a list that is empty', (act, fork) => [fork('t', false, [act('a')]), act('c')], 't c -> 0, 0 faults'],
  ['a test that fails', (act, fork) => [fork('t', 'fails', [act('a')], [act('b')]), act('c')], 't c -> 0, 1 faults'],
  ['one that fails in a fork', (act, fork) => [fork('t', true, [act('a', 'fails'), act('b')])], 't a b -> 0, 1 faults'],
  ['a signal in a fork', (act, fork) => [fork('t', true, [act('a', 3), act('b')]), act('c')], 't a -> 3, 0 faults'],
  [
    'one that ends its list in a fork',
    (act, fork) => [fork('t', true, [act('a', 'ends'), act('b')]), act('c')],
    't a c -> 0, 1 faults',
  ],
  [
    'one that ends the inner of two lists',
    (act, fork) => [fork('t', true, [fork('u', true, [act('a', 'ends'), act('b')]), act('c')]), act('d')],
    't u a c d -> 0, 1 faults',
  ],
  [
    'one that ends the last list of all',
    (act, fork) => [fork('t', true, [fork('u', true, [act('a', 'ends'), act('b')])])],
    't u a -> 0, 1 faults',
  ],
])('%s', (_name, list, expected) => {
  expect(run(list)).toBe(expected);
});

test('each part counts as one action of the budget, and the one that exceeds it is named', () => {
  const { runtime } = internalsOf(scene().sim);
  const step = (): Signal => 0;
  const list = sequence([
    { location: 0, test: constantSource(true), yes: [{ location: 1, step }], no: [] },
    { location: 2, step },
  ]);
  runtime.budget = 2;
  runtime.counts.fill(0);
  expect(() => list(newContext(runtime))).toThrow('actions in one tick');
  expect([...runtime.counts.subarray(0, 3), runtime.location]).toEqual([1, 1, 1, 2]);
});

const n = { function: 'getVariable', variableName: 'n' };
/** Has a fault once `n` is outside the map. */
const isEmpty = compare('<', { function: 'getMapTileId', x: n, y: 0, layer: 0 }, 9);
/** Raises an error once `n` is not a number of digits. */
const hasDigits = compare('<', { function: 'toFixed', value: 1, precision: n }, 10);
const first = [setVariable('n', 2), setVariable('i', 0)];
const leaves = setVariable('n', 200);
const twice = [increase('i'), increase('i')];
const range = { variableName: 'i', start: 0, stop: 9 };
const letters = { variableNameMain: 'i', variableNameSource: 'text' };

test.each<[string, object, string, Partial<Limits>?]>([
  ['a condition', { type: 'while', conditions: isEmpty, actions: [...twice, leaves] }, 'wrong-value 2'],
  [
    'one of two conditions',
    { type: 'while', conditions: [{ operator: 'AND' }, [], isEmpty], actions: [...twice, leaves] },
    'wrong-value 2',
  ],
  ['an error', { type: 'while', conditions: hasDigits, actions: [...twice, leaves] }, 'wrong-value 2'],
  [
    'a condition after a called script',
    { type: 'while', conditions: isEmpty, actions: [call('leaves')] },
    'wrong-value 2',
  ],
  [
    'a condition inside a loop',
    repeat(2, leaves, when(isEmpty, twice, twice), increase('i')),
    'wrong-value 2/actions/1',
  ],
  [
    'a loop in a branch',
    when([], [{ type: 'while', conditions: isEmpty, actions: [leaves] }, increase('i')]),
    'wrong-value 2/then/0',
  ],
  [
    'a loop in delayed actions',
    later(1, increase('i'), { type: 'while', conditions: isEmpty, actions: [leaves] }),
    'wrong-value 2/actions/1',
  ],
  ['the rounds of while', { type: 'while', conditions: [], actions: twice }, 'limit-loop 2', { loopIterations: 3 }],
  ['the rounds of repeat', repeat(9, ...twice), 'limit-loop 2', { loopIterations: 3 }],
  ['the rounds of for', { type: 'for', ...range, actions: [increase('n')] }, 'limit-loop 2', { loopIterations: 3 }],
  ['the rounds of forIn', { type: 'forIn', ...letters, actions: twice }, 'limit-loop 2', { loopIterations: 1 }],
  [
    'the rounds of forAllPlayers',
    { type: 'forAllPlayers', playerGroup: { function: 'allPlayers' }, actions: twice },
    'limit-loop 2',
    { loopIterations: 3 },
  ],
  [
    'the rounds of forAllUnitTypes',
    { type: 'forAllUnitTypes', unitTypeGroup: { function: 'allUnitTypesInGame' }, actions: twice },
    'limit-loop 2',
    { loopIterations: 1 },
  ],
  [
    'the first timer of repeatWithDelay',
    { type: 'repeatWithDelay', count: 9, number: 50, actions: twice },
    'limit-timers 2',
    { timers: 0 },
  ],
  [
    'a later timer of repeatWithDelay',
    { type: 'repeatWithDelay', count: 9, number: 50, actions: [later(5000), increase('i')] },
    'limit-timers 2',
    { timers: 2 },
  ],
])(
  '%s that fails after actions inside it have run is reported at its own place',
  (_name, action, expected, limits = {}) => {
    for (const dialect of dialects) {
      const scripts = { leaves: script([], [...twice, leaves]) };
      const s = go(ready([...first, action], { dialect, limits, scripts }));
      s.ticks(10);
      expect(s.faults().map(({ code, at }) => `${code} ${at.replace('scripts/go/actions/', '')}`)).toEqual([expected]);
    }
  },
);
