import { describe, expect, test } from 'vitest';
import { calculateValues } from '../../../engine/script/values/calculate.ts';
import { computed, nothing, Scene, testValues } from './harness.ts';

const plus = { operator: '+' };

testValues('calculations', calculateValues, {
  calculate: [
    [{ items: [plus, 1, 2] }, 3],
    [{ items: ['+', 1, 2] }, 3],
    [{ items: [{ operator: '-' }, 5, 7] }, -2],
    [{ items: [{ operator: '*' }, 0.1, 3] }, 0.1 * 3],
    [{ items: [{ operator: '/' }, 7, 2] }, 3.5],
    [{ items: [{ operator: '%' }, 7, 3] }, 1],
    [{ items: [{ operator: '%' }, -7, 3] }, -1],
    [{ items: [{ operator: '%' }, 7, -3] }, 1],
    // Texts are numbers if they begin like one, and `+` never concatenates them.
    [{ items: [plus, '1', 2] }, 3],
    [{ items: [plus, '3px', ' 4'] }, 7],
    [{ items: [plus, computed('3px'), computed(' 4')] }, 7],
    [{ items: [plus, 'abc', 1] }, undefined, 'not-a-number'],
    [{ items: [plus, computed('abc'), 1] }, undefined, 'not-a-number'],
    // Undefined, true and objects are not numbers.
    [{ items: [plus, nothing, 1] }, undefined, 'not-a-number'],
    [{ items: [plus, 1, nothing] }, undefined, 'not-a-number'],
    [{ items: [plus, 1] }, undefined, 'not-a-number'],
    [{ items: [plus, 4, { function: 'getVariable', variableName: 'none' }] }, undefined, 'not-a-number'],
    [{ items: [plus, true, 1] }, undefined, 'not-a-number'],
    [{ items: [plus, { function: 'xyCoordinate', x: 1, y: 2 }, 1] }, undefined, 'not-a-number'],
    // Operands that abort the action.
    { give: { items: [plus, '', 1] }, aborts: 'not-a-number' },
    { give: { items: [plus, 1, computed('')] }, aborts: 'not-a-number' },
    { give: { items: [plus, false, 1] }, aborts: 'not-a-number' },
    { give: { items: [plus, null, 1] }, aborts: 'null-operand' },
    { give: { items: [] }, aborts: 'not-a-number' },
    // Infinity is a valid result, NaN becomes undefined.
    [{ items: [{ operator: '/' }, 1, 0] }, Number.POSITIVE_INFINITY],
    [{ items: [{ operator: '/' }, computed(-1), computed(0)] }, Number.NEGATIVE_INFINITY],
    [{ items: [{ operator: '/' }, 0, 0] }, undefined, 'not-a-number'],
    [{ items: [{ operator: '%' }, 5, 0] }, undefined, 'not-a-number'],
    [{ items: [{ operator: '%' }, computed(5), 0] }, undefined, 'not-a-number'],
    // Nesting: in a list, and as a function.
    [{ items: ['-', ['*', 3, 4], ['+', 1, 1]] }, 10],
    [{ items: ['-', ['*', 3, computed(4)], ['+', computed(1), 1]] }, 10],
    [{ items: [plus, { function: 'calculate', items: [plus, 1, 2] }, 3] }, 6],
    [{ items: [plus, ['/', 0, 0], 3] }, undefined, 'not-a-number'],
    // A list that is computed is not part of the expression tree.
    [
      { items: [plus, { function: 'getStringArrayElement', string: '[["+", 1, 2]]', number: 0 }, 3] },
      undefined,
      'not-a-number',
    ],
    [{ items: ['^', 2, 3] }, undefined, 'not-a-number'],
    [{ items: [{ operator: 'pow' }, 2, 3] }, undefined, 'not-a-number'],
    // One operand.
    [{ items: 42 }, 42],
    [{ items: '42.5x' }, 42.5],
    [{ items: computed('7') }, 7],
    [{ items: 'x' }, Number.NaN],
    [{ items: { function: 'xyCoordinate', x: 1, y: 2 } }, Number.NaN],
    [{ items: computed(true) }, Number.NaN],
    [{ items: { function: 'getVariable', variableName: 'none' } }, Number.NaN],
    [{ items: null }, undefined],
    [{}, undefined],
    [{ items: ['+', 1, 2], brackets: true }, 3],
  ],
});

describe.each(['+', '-', '*', '/', '%'])('`%s`', (operator) => {
  const expected = (a: number, b: number): number =>
    ({ '+': a + b, '-': a - b, '*': a * b, '/': a / b, '%': a % b })[operator]!;
  const pairs = [
    [7, 3],
    [-7.5, 2],
    [0, 5],
    [1e308, 10],
    [0.1, 0.2],
  ] as const;

  test.each(pairs)('computes %d and %d, whether known at load or not', (a, b) => {
    const scene = new Scene();
    const of = (left: unknown, right: unknown) => scene.ask({ function: 'calculate', items: [operator, left, right] });
    for (const [left, right] of [
      [a, b],
      [a, computed(b)],
      [computed(a), b],
      [computed(a), computed(b)],
    ]) {
      expect(of(left, right).value).toBe(expected(a, b));
    }
  });
});

describe('a calculation', () => {
  test('evaluates its operands once, from left to right', () => {
    const scene = new Scene({ variables: { n: { dataType: 'number', default: 1 } } });
    const draw = { function: 'getRandomNumberBetween', min: 0, max: 1000 };
    const both = scene.ask({ function: 'calculate', items: ['-', ['*', draw, 1000], draw] }).value as number;
    const twin = new Scene();
    const first = twin.ask(draw).value as number;
    const second = twin.ask(draw).value as number;
    expect(both).toBe(first * 1000 - second);
  });

  test.each([
    [['^', 1, 2], ['wrong-parameter']],
    [['+', 'x', 2], ['wrong-parameter']],
    [['+', true, 2], ['wrong-parameter']],
    [['+', 1], ['missing-parameter']],
    [[], ['missing-parameter']],
    [['+', '5', 2], []],
  ])('%j is reported at load', (items, issues) => {
    expect(new Scene().compile({ function: 'calculate', items }).issues).toEqual(issues);
  });

  test('works at the maximum depth of documents', () => {
    let items: unknown = 1;
    for (let depth = 0; depth < 900; depth++) items = ['+', items, computed(1)];
    expect(new Scene().ask({ function: 'calculate', items }).value).toBe(901);
  });
});
