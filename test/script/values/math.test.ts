import { describe, expect, test } from 'vitest';
import { mathValues } from '../../../engine/script/values/math.ts';
import { computed, near, nothing, Scene, testValues } from './harness.ts';

testValues('numbers', mathValues, {
  getRandomNumberBetween: [
    [{ min: 7, max: 7 }, 7],
    [{ min: '3px', max: 3 }, 3],
    [{ min: nothing, max: 3 }, Number.NaN],
    [{ min: 1, max: 'many' }, Number.NaN],
  ],
  toFixed: [
    [{ value: 2.005, precision: 2 }, 2],
    [{ value: 7, precision: 0 }, 7],
    [{ value: 1.25 }, 1],
    [{ value: '3.14159 rad', precision: '2' }, 3.14],
    [{ value: -1.5 }, -2],
    [{ value: 'x', precision: 1 }, Number.NaN],
    [{ value: 1, precision: nothing }, 1],
    { give: { value: 1, precision: 101 }, aborts: 'wrong-value' },
    { give: { value: 1, precision: -1 }, aborts: 'wrong-value' },
  ],
  toRadians: [
    [{ number: 180 }, 3.1415926518],
    [{ number: '90' }, 1.5707963259],
    [{ number: 'x' }, undefined],
  ],
  toDegrees: [
    [{ number: 1 }, 57.2957795131],
    [{ number: 'x' }, undefined],
  ],
  absoluteValueOfNumber: [
    [{ number: '-4' }, 4],
    [{ number: -2.5 }, 2.5],
    [{ number: 'x' }, Number.NaN],
  ],
  squareRoot: [
    [{ number: 9 }, 3],
    [{ number: -1 }, Number.NaN],
    [{ number: 'x' }, undefined],
    [{ number: '' }, 0],
  ],
  mathFloor: [
    [{ value: 2.7 }, 2],
    [{ value: -2.1 }, -3],
    [{ value: '' }, 0],
    [{ value: computed(false) }, 0],
    [{ value: '10.78' }, 10],
    [{ value: '10px' }, undefined],
    { give: { value: null }, aborts: 'null-operand' },
  ],
  mathCeiling: [
    [{ value: 2.1 }, 3],
    [{ value: 'x' }, undefined],
  ],
  mathRound: [
    [{ value: 0.5 }, 1],
    [{ value: -0.5 }, 0],
    [{ value: 2.4 }, 2],
  ],
  mathSign: [
    [{ value: -3 }, -1],
    [{ value: 0 }, 0],
    [{ value: '12' }, 1],
    [{ value: 'x' }, undefined],
  ],
  log10: [
    [{ value: 1000 }, 3],
    [{ value: 0 }, Number.NEGATIVE_INFINITY],
    [{ value: -1 }, Number.NaN],
    [{ value: 'x' }, undefined],
  ],
  sin: [
    [{ angle: 0 }, 0],
    [{ angle: 1 }, near(0.8414709848078965)],
    [{ angle: 'x' }, Number.NaN],
  ],
  cos: [
    [{ angle: 0 }, 1],
    [{ angle: '1' }, near(0.5403023058681398)],
  ],
  tan: [[{ angle: 1 }, near(1.5574077246549023)]],
  arctan: [
    [{ number: -1 }, near(-0.7853981633974483)],
    [{ number: 'x' }, Number.NaN],
  ],
  getMin: [
    [{ num1: -1, num2: 5 }, -1],
    [{ num1: 'x', num2: 5 }, Number.NaN],
    [{ num1: nothing, num2: 5 }, undefined],
  ],
  getMax: [
    [{ num1: '10', num2: 9 }, 10],
    [{ num1: 1, num2: nothing }, undefined],
    [{ num1: computed(true), num2: 0 }, 1],
  ],
  getExponent: [
    [{ base: -2, power: 3 }, -8],
    [{ base: 2, power: 0.5 }, near(Math.SQRT2)],
    [{ base: 'x', power: 2 }, Number.NaN],
    [{ base: 2, power: nothing }, undefined],
  ],
  lerp: [
    [{ valueA: 0, valueB: -8, alpha: 1.5 }, -12],
    [{ valueA: 10, valueB: '20', alpha: 0.5 }, 15],
    [{ valueA: '0', valueB: 10, alpha: 0.5 }, '50'],
    [{ valueA: 0, valueB: nothing, alpha: 1 }, undefined],
    [{ valueA: 0, valueB: 10, alpha: 'half' }, undefined],
    [{ valueA: 0, valueB: { function: 'calculate', items: ['/', 1, 0] }, alpha: 0 }, Number.NaN],
  ],
  convertNumberToLargeNotation: [
    [{ value: 1234567 }, '1.23M'],
    [{ value: 999 }, 999],
    [{ value: 1000 }, '1.00K'],
    [{ value: -1500 }, '1.50K'],
    [{ value: 999999 }, '1000.00K'],
    [{ value: 1e63 }, '1.00Vi'],
    [{ value: 1e66 }, '1.00e+66'],
    [{ value: '2500' }, '2.50K'],
    [{ value: 'x' }, 'x'],
  ],
});

describe('a random number', () => {
  const draws = (scene: Scene, min: unknown, max: unknown) => {
    const { ask } = scene.compile({ function: 'getRandomNumberBetween', min, max });
    return Array.from({ length: 500 }, () => ask().value as number);
  };

  test('is whole and reaches both bounds', () => {
    const drawn = draws(new Scene(), -1, 2);
    expect([...new Set(drawn)].sort((a, b) => a - b)).toEqual([-1, 0, 1, 2]);
  });

  test('between fractional bounds may exceed the upper one', () => {
    expect(new Set(draws(new Scene(), 0, 0.5))).toEqual(new Set([0, 1]));
  });

  test('depends on the seed only', () => {
    expect(draws(new Scene(), 1, 1000)).toEqual(draws(new Scene(), 1, 1000));
  });
});
