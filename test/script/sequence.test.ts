import { expect, test } from 'vitest';
import { internalsOf } from '../../engine/internal.ts';
import { newContext, OperandFault, type Signal } from '../../engine/script/context.ts';
import { type SequenceNode, sequence } from '../../engine/script/sequence.ts';
import { constantSource, sourceOf } from '../../engine/script/source.ts';
import { setVariable } from '../support/actions.ts';
import { play, script } from '../support/play.ts';
import { Scene } from './values/harness.ts';

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

test('an action that fails after actions inside it have run is reported at its own place', () => {
  const digits = { function: 'getVariable', variableName: 'digits' };
  const conditions = [
    { operandType: 'number', operator: '<' },
    { function: 'toFixed', value: 1, precision: digits },
    10,
  ];
  const loop = { type: 'while', conditions, actions: [setVariable('ended', 1), setVariable('digits', 200)] };
  const game = play({
    variables: { digits: { dataType: 'number', default: 2 }, ended: { dataType: 'number', default: 0 } },
    scripts: { s: script('gameStart', [setVariable('ended', 2), loop, setVariable('ended', 3)]) },
  });
  game.ticks(1);
  expect(game.faults()).toEqual([{ code: 'wrong-value', at: 'scripts/s/actions/1', count: 1 }]);
  expect(game.variable('ended')).toBe(3);
});
