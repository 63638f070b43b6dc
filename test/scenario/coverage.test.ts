import { describe, expect, test } from 'vitest';
import { loadDefinition, Simulation } from '../../engine/index.ts';
import { changedAt } from '../../src/model/changed-at.ts';
import { coverageText } from '../../src/report/coverage-text.ts';
import { addCounts, type Counts, emptyCounts, mergeCounts } from '../../src/scenario/judging/counts.ts';
import { coverageOf } from '../../src/scenario/judging/coverage.ts';
import { mutantsOf } from '../../src/scenario/judging/mutants.ts';
import { delayed, setVariable, when } from '../support/actions.ts';
import { document, script } from '../support/play.ts';

const isOne = [{ operandType: 'number', operator: '==' }, { function: 'getVariable', variableName: 'n' }, 1];
const set = (value: unknown): object => setVariable('n', value);

function loaded(actions: readonly unknown[]) {
  const whole = document({
    variables: { n: { dataType: 'number', default: 0 } },
    scripts: { go: { ...script('gameStart', actions), name: 'go' }, idle: script('playerLeavesGame', [set(9)]) },
  });
  const { game } = loadDefinition(whole);
  return { whole, game: game! };
}

function covered(actions: readonly unknown[]) {
  const { game } = loaded(actions);
  const sim = new Simulation(game);
  const counts = addCounts(emptyCounts(), { sim } as Parameters<typeof addCounts>[1]);
  return coverageOf('g', game.definition, counts);
}

describe('branches', () => {
  test.each<[string, readonly unknown[], number, number]>([
    ['then', [set(1), when(isOne, [set(2)], [set(3)])], 1, 2],
    ['an else without actions that was taken', [when(isOne, [set(2)])], 1, 2],
    ['an else without actions that was not', [set(1), { type: 'condition', conditions: isOne, then: [set(2)] }], 1, 2],
    ['both', [0, 1].flatMap((n) => [set(n), when(isOne, [{ type: 'comment' }, set(n)], [set(n)])]), 2, 4],
    [
      'a condition that is always true has one',
      [when([{ operator: '==', operandType: 'boolean' }, true, true], [set(2)], [set(3)])],
      1,
      1,
    ],
    [
      'a condition that is never true has one',
      [when([{ operator: '!=', operandType: 'number' }, 1, 1], [set(2)], [set(3)])],
      1,
      1,
    ],
    ['a loop that is entered', [{ type: 'repeat', count: 2, actions: [set(1)] }], 1, 1],
    ['a loop that is not', [{ type: 'repeat', count: 0, actions: [set(1)] }], 0, 1],
    ['actions put off', [delayed(5000, set(1))], 0, 1],
    ['nothing on either side', [when(isOne, [])], 0, 0],
  ])('%s', (_what, actions, ran, total) => {
    const [go] = covered(actions).each;
    expect(go!.branches).toEqual({ ran, total });
  });
});

test('coverage lists scripts, actions and triggers that never ran', () => {
  const report = covered([{ ...set(1), disabled: true }, set(2)]);
  expect(report).toMatchObject({
    scripts: { ran: 1, total: 2 },
    actions: { ran: 1, total: 2 },
    triggers: { ran: 1, total: 2 },
    silent: ['playerLeavesGame'],
  });
  expect(coverageText({ ...report, failing: 0 })).toContain(
    'script     0       0/0      0/1  scripts/idle\n  never fired: playerLeavesGame\n',
  );
});

test('counts of several runs are summed', () => {
  const into: Counts = { locations: { a: 1 }, scripts: {}, triggers: { t: 2 } };
  mergeCounts(into, { locations: { a: 2, b: 1 }, scripts: { s: 1 }, triggers: {} });
  expect(into).toEqual({ locations: { a: 3, b: 1 }, scripts: { s: 1 }, triggers: { t: 2 } });
});

describe('mutants', () => {
  const texts = (actions: readonly unknown[]): string[] =>
    mutantsOf(loaded(actions).game.definition)
      .filter(({ location }) => location.startsWith('scripts/go'))
      .map(({ text }) => text);

  test('negate a condition, change its constant, and omit an action', () => {
    expect(texts([when(isOne, [set(5)])])).toEqual([
      'if n != 1 instead of n == 1',
      'if n == 1: 2 instead of 1',
      'without "set n = 5"',
      'set n = 5: 6 instead of 5',
    ]);
  });

  test('negate each part of a condition separately', () => {
    const both = [
      { operator: 'AND' },
      isOne,
      [{ operator: '<', operandType: 'number' }, { function: 'getVariable', variableName: 'n' }, 3],
    ];
    expect(texts([{ type: 'while', conditions: both, actions: [] }])).toEqual([
      'without "while (n == 1 and n < 3)"',
      'if (n == 1 or n < 3) instead of (n == 1 and n < 3)',
      'if n != 1 instead of n == 1',
      'if n == 1: 2 instead of 1',
      'if n >= 3 instead of n < 3',
      'if n < 3: 4 instead of 3',
    ]);
  });

  test('change the operators and the numbers of a calculation', () => {
    const n = { function: 'getVariable', variableName: 'n' };
    const sum = { function: 'calculate', items: [{ operator: '+' }, n, { function: 'calculate', items: ['*', n, 3] }] };
    expect(texts([set(sum)])).toEqual([
      'without "set n = (n + (n * 3))"',
      'set n = (n + (n * 3)): (n - (n * 3)) instead of (n + (n * 3))',
      'set n = (n + (n * 3)): (n / 3) instead of (n * 3)',
      'set n = (n + (n * 3)): 4 instead of 3',
    ]);
  });

  test("leave the editor's empty condition and purely visual actions alone", () => {
    const always = [{ operator: '==', operandType: 'boolean' }, true, true];
    expect(texts([{ type: 'condition', conditions: always, then: [{ type: 'playSound', volume: 3 }] }])).toEqual([]);
  });

  test('change large numbers by half, and leave editor metadata alone', () => {
    const wait = { type: 'setTimeOut', duration: 1500, hasFixedCSP: true, runOnClient: false, actions: [] };
    expect(texts([wait, set(-20), set(0.25)])).toEqual([
      'without "setTimeOut duration: 1500"',
      'setTimeOut duration: 1500: 2250 instead of 1500',
      'without "set n = -20"',
      'set n = -20: -30 instead of -20',
      'without "set n = 0.25"',
      'set n = 0.25: 1.25 instead of 0.25',
    ]);
  });

  test('change a copy of the document', () => {
    const { whole, game } = loaded([set(5)]);
    const [, mutant] = mutantsOf(game.definition);
    const changed = changedAt(whole, mutant!.path, () => mutant!.value);
    const n = (given: unknown): unknown => new Simulation(loadDefinition(given).game!).variable('n');
    expect([n(whole), n(changed), n(whole)]).toEqual([5, 6, 5]);
  });
});
