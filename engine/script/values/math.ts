import * as maths from '../../core/dmath.ts';
import { type Evaluate, OperandFault } from '../context.ts';
import { family, type ValueRow, value } from '../op.ts';
import * as P from '../params.ts';
import { leadingNumber } from '../values.ts';
import { coerced, isMissing, number } from './operands.ts';

/** A function of one number that gives no value for what is no number. */
function ofNumber(key: string, compute: (value: number) => number): ValueRow {
  return value({
    params: { [key]: number },
    returns: 'number',
    compile: (operands) => {
      const operand = operands[key] as Evaluate<unknown>;
      return (context) => {
        const converted = coerced(operand(context));
        return Number.isNaN(converted) ? undefined : compute(converted);
      };
    },
  });
}

/** A function of one angle or number. It gives no value only for a missing operand, and NaN for a text that is no number. */
function ofPresent(key: string, compute: (value: number) => number): ValueRow {
  return value({
    params: { [key]: number },
    returns: 'number',
    compile: (operands) => {
      const operand = operands[key] as Evaluate<unknown>;
      return (context) => {
        const given = operand(context);
        return given === undefined ? undefined : compute(coerced(given));
      };
    },
  });
}

/** The same of two numbers; neither may be missing. */
function ofTwo(firstKey: string, secondKey: string, compute: (a: number, b: number) => number): ValueRow {
  return value({
    params: { [firstKey]: number, [secondKey]: number },
    returns: 'number',
    compile: (operands) => {
      const first = operands[firstKey] as Evaluate<unknown>;
      const second = operands[secondKey] as Evaluate<unknown>;
      return (context) => {
        const a = first(context);
        const b = second(context);
        return isMissing(a) || isMissing(b) ? undefined : compute(coerced(a), coerced(b));
      };
    },
  });
}

/** As the reference has them, cut after some digits: 180 degrees are 3.1415926518. */
const radiansPerDegree = 0.01745329251;
const degreesPerRadian = 57.2957795131;

const suffixes = [
  '',
  'K',
  'M',
  'B',
  'T',
  'Qa',
  'Qi',
  'Sx',
  'Sp',
  'Oc',
  'No',
  'De',
  'Un',
  'Do',
  'Tr',
  'Qad',
  'Qid',
  'Sxd',
  'Spd',
  'Od',
  'Nd',
  'Vi',
];

/** `1234567` is `1.23M`; beyond all suffixes with an exponent. `amount` is at least 1000. */
function largeNotation(amount: number): string {
  // The exponent of the number's own text; a logarithm may fall just short of a whole number.
  const exponent = Number(amount.toExponential().split('e')[1]);
  const rank = Math.floor(exponent / 3);
  const suffix = suffixes[rank];
  return suffix === undefined ? amount.toExponential(2) : `${(amount / Number(`1e${rank * 3}`)).toFixed(2)}${suffix}`;
}

/**
 * Rounding, powers, angles. How each treats what is no number is the reference's (reference: operations#numbers); results are exact or from
 * engine/core/dmath, so that every host computes the same.
 */
export const mathValues = family<ValueRow>('math', {
  /** A whole number from `min` to `max`, both included, each as likely. NaN where a bound is no number. */
  getRandomNumberBetween: value({
    params: { min: number, max: number },
    returns: 'number',
    compile:
      ({ min, max }) =>
      (context) => {
        const from = leadingNumber(min(context));
        const to = leadingNumber(max(context));
        return Math.floor(context.world.random.stream('script').next() * (to - from + 1) + from);
      },
  }),
  toFixed: value({
    params: { value: number, precision: P.optional(number) },
    returns: 'number',
    compile:
      ({ value: operand, precision }) =>
      (context) => {
        const given = leadingNumber(operand(context));
        const digits = Math.trunc(coerced(precision(context)) || 0);
        if (digits < 0 || digits > 100) {
          throw new OperandFault('wrong-value', `toFixed: ${digits} is no number of digits; 0 to 100 are.`);
        }
        return Number(given.toFixed(digits));
      },
  }),
  toRadians: ofNumber('number', (degrees) => degrees * radiansPerDegree),
  toDegrees: ofNumber('number', (radians) => radians * degreesPerRadian),
  absoluteValueOfNumber: value({
    params: { number },
    returns: 'number',
    compile:
      ({ number: operand }) =>
      (context) =>
        Math.abs(coerced(operand(context))),
  }),
  squareRoot: ofNumber('number', Math.sqrt),
  mathFloor: ofNumber('value', Math.floor),
  mathCeiling: ofNumber('value', Math.ceil),
  mathRound: ofNumber('value', Math.round),
  mathSign: ofNumber('value', Math.sign),
  log10: ofNumber('value', maths.log10),
  sin: ofPresent('angle', maths.sin),
  cos: ofPresent('angle', maths.cos),
  tan: ofPresent('angle', maths.tan),
  arctan: ofPresent('number', maths.atan),
  getMin: ofTwo('num1', 'num2', Math.min),
  getMax: ofTwo('num1', 'num2', Math.max),
  getExponent: ofTwo('base', 'power', maths.pow),
  /** On the way from `valueA` to `valueB`; beyond them outside 0..1. A text as `valueA` is appended, not added (reference). */
  lerp: value({
    params: { valueA: number, valueB: number, alpha: number },
    returns: 'number',
    compile:
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
  }),
  /** Its size in thousands, millions … with two decimals, the sign dropped; below 1000, or no number, it comes back as it is. */
  convertNumberToLargeNotation: value({
    params: { value: number },
    returns: 'string',
    compile:
      ({ value: operand }) =>
      (context) => {
        const given = operand(context);
        const amount = Math.abs(coerced(given));
        return amount >= 1000 ? largeNotation(amount) : given;
      },
  }),
});
