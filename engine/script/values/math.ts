import * as maths from '../../core/dmath.ts';
import { reads } from '../../rules/effects.ts';
import { type About, compiledValue, family, type ValueRow, value, valueOfTwo } from '../op.ts';
import * as P from '../params.ts';
import { OperandFault } from '../running/context.ts';
import { leadingNumber } from '../running/value.ts';
import { coerced, isMissing, number } from './operands.ts';

/** A function of one number; undefined if the operand is not a number. */
function ofNumber(about: About, key: string, compute: (value: number) => number): ValueRow {
  return value(about, { [key]: number }, 'number', (given) => {
    const converted = coerced(given);
    return Number.isNaN(converted) ? undefined : compute(converted);
  });
}

/** A function of one number; undefined if the operand is missing, NaN if it is not a number. */
function ofPresent(about: About, key: string, compute: (value: number) => number): ValueRow {
  const operand = key === 'angle' ? P.measured('radians', number) : number;
  return value(about, { [key]: operand }, 'number', (given) =>
    given === undefined ? undefined : compute(coerced(given)),
  );
}

/** Like `ofPresent`, for two numbers. */
function ofTwo(about: About, firstKey: string, secondKey: string, compute: (a: number, b: number) => number): ValueRow {
  return valueOfTwo(about, { [firstKey]: number, [secondKey]: number }, 'number', (a, b) =>
    isMissing(a) || isMissing(b) ? undefined : compute(coerced(a), coerced(b)),
  );
}

/** Truncated as in the reference, where 180 degrees are 3.1415926518. */
const radiansPerDegree = 0.01745329251;
const degreesPerRadian = 57.2957795131;

const suffixes = ' K M B T Qa Qi Sx Sp Oc No De Un Do Tr Qad Qid Sxd Spd Od Nd Vi'.split(' ');

/** Formats `1234567` as `1.23M`; beyond the last suffix, with an exponent. `amount` must be at least 1000. */
function largeNotation(amount: number) {
  // The exponent is taken from the string form of the number, because a logarithm may be just below a whole number.
  const exponent = Number(amount.toExponential().split('e')[1]);
  const rank = Math.floor(exponent / 3);
  const suffix = suffixes[rank];
  return suffix === undefined ? amount.toExponential(2) : `${(amount / Number(`1e${rank * 3}`)).toFixed(2)}${suffix}`;
}

/**
 * Rounding, powers, angles. Values that are not numbers are treated as in the reference (reference:
 * operations#numbers). Results are exact or computed by engine/core/dmath, so that they are the same on every host.
 */
export const mathValues = family<ValueRow>('math', {
  /** A uniformly distributed whole number from `min` to `max`, inclusive. NaN if a bound is not a number. */
  getRandomNumberBetween: valueOfTwo(
    'A random whole number from `min` to `max`, both included.',
    { min: number, max: number },
    'number',
    (min, max, { world }) => {
      const from = leadingNumber(min);
      const to = leadingNumber(max);
      return Math.floor(world.random.stream('script').next() * (to - from + 1) + from);
    },
    reads('chance', undefined, { from: 'min', to: 'max' }),
  ),
  toFixed: valueOfTwo(
    'A number rounded to `precision` decimal places.',
    { value: number, precision: P.optional(number) },
    'number',
    (given, precision) => {
      const digits = Math.trunc(coerced(precision) || 0);
      if (digits < 0 || digits > 100) {
        throw new OperandFault('wrong-value', `toFixed: \`precision\` must be from 0 to 100, not ${digits}.`);
      }
      return Number(leadingNumber(given).toFixed(digits));
    },
  ),
  toRadians: ofNumber('An angle in degrees as radians.', 'number', (degrees) => degrees * radiansPerDegree),
  toDegrees: ofNumber('An angle in radians as degrees.', 'number', (radians) => radians * degreesPerRadian),
  absoluteValueOfNumber: value('The absolute value of a number.', { number }, 'number', (operand) =>
    Math.abs(coerced(operand)),
  ),
  squareRoot: ofNumber('The square root of a number.', 'number', Math.sqrt),
  mathFloor: ofNumber('A number rounded down to a whole number.', 'value', Math.floor),
  mathCeiling: ofNumber('A number rounded up to a whole number.', 'value', Math.ceil),
  mathRound: ofNumber('A number rounded to the nearest whole number; halves are rounded up.', 'value', Math.round),
  mathSign: ofNumber('The sign of a number: -1, 0 or 1.', 'value', Math.sign),
  log10: ofNumber('The base-10 logarithm of a number.', 'value', maths.log10),
  sin: ofPresent('The sine of an angle in radians.', 'angle', maths.sin),
  cos: ofPresent('The cosine of an angle in radians.', 'angle', maths.cos),
  tan: ofPresent('The tangent of an angle in radians.', 'angle', maths.tan),
  arctan: ofPresent('The arctangent of a number, in radians.', 'number', maths.atan),
  getMin: ofTwo('The smaller of two numbers.', 'num1', 'num2', Math.min),
  getMax: ofTwo('The larger of two numbers.', 'num1', 'num2', Math.max),
  getExponent: ofTwo('The number `base`, raised to the power `power`.', 'base', 'power', maths.pow),
  /**
   * Linear interpolation; extrapolates for `alpha` outside 0..1. If `valueA` is a string, it is appended instead of
   * added, as in the reference.
   */
  lerp: compiledValue(
    {
      sentence: 'The linear interpolation between two numbers: A if `alpha` is 0, B if `alpha` is 1.',
      operands: { alpha: 'The fraction of the way from A to B, from 0 to 1.' },
    },
    { valueA: number, valueB: number, alpha: number },
    'number',
    ({ valueA, valueB, alpha }) =>
      (context) => {
        const from = valueA(context);
        const start = coerced(from);
        const end = coerced(valueB(context));
        const share = coerced(alpha(context));
        if (Number.isNaN(start) || Number.isNaN(end) || Number.isNaN(share)) return undefined;
        const way = (end - start) * share;
        return typeof from === 'string' ? `${way}${from}` : way + start;
      },
  ),
  /**
   * The function returns the absolute value in thousands, millions and so on, with two decimals. Numbers whose absolute
   * value is below 1000, and other values, are returned unchanged.
   */
  convertNumberToLargeNotation: value(
    'A number in short notation, such as `1.5K` or `2M`.',
    { value: number },
    'string',
    (given) => {
      const amount = Math.abs(coerced(given));
      return amount >= 1000 ? largeNotation(amount) : given;
    },
  ),
});
