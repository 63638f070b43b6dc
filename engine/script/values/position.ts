import { atan2, cos, PI, sin } from '../../core/dmath.ts';
import { compiledValue, family, type ValueRow, value } from '../op.ts';
import { measured } from '../params.ts';
import { coerced, isMissing, number, position } from './operands.ts';

/** A member of a position; undefined if the operand is not an object. */
function member(given: unknown, key: 'x' | 'y'): unknown {
  return given !== null && typeof given === 'object'
    ? (given as { readonly x?: unknown; readonly y?: unknown })[key]
    : undefined;
}

/** Whether a position is missing; as in the reference, any falsy value is. */
function isNothing(given: unknown) {
  return !given;
}

const quarterTurn = PI / 2;

/**
 * Positions and directions: px, and radians clockwise from up. Positions are plain `{x, y}` objects whose members are
 * not converted.
 */
export const positionValues = family<ValueRow>('position', {
  xyCoordinate: compiledValue(
    'A position, given by x and y.',
    { x: number, y: number },
    'position',
    ({ x, y }) =>
      (context) => {
        const left = x(context);
        const top = y(context);
        return isMissing(left) || isMissing(top) ? undefined : { x: left, y: top };
      },
  ),
  vector3: compiledValue(
    'A position, given by x, y and z.',
    { x: number, y: number, z: number },
    'position',
    ({ x, y, z }) =>
      (context) => {
        const left = x(context);
        const top = y(context);
        const high = z(context);
        return isMissing(left) || isMissing(top) || isMissing(high) ? undefined : { x: left, y: top, z: high };
      },
  ),
  getPositionX: value('The x coordinate of a position.', { position }, 'number', (place) => member(place, 'x')),
  getPositionY: value('The y coordinate of a position.', { position }, 'number', (place) => member(place, 'y')),
  getPositionInFrontOfPosition: compiledValue(
    'The position at a given distance and in a given direction from another position.',
    { position, distance: measured('px', number), angle: measured('radians', number) },
    'position',
    ({ position: place, distance, angle }, { dialect }) => {
      const plus = dialect.rectanglesAreValidated ? sum : appended;
      return (context) => {
        const from = place(context);
        const length = coerced(distance(context));
        const direction = coerced(angle(context)) - quarterTurn;
        if (isNothing(from) || Number.isNaN(length) || Number.isNaN(direction)) return undefined;
        return {
          x: plus(length * cos(direction), member(from, 'x')),
          y: plus(length * sin(direction), member(from, 'y')),
        };
      };
    },
  ),
  /** The value is NaN if an operand is present but not a position. */
  distanceBetweenPositions: compiledValue(
    'The distance between two positions, px.',
    { positionA: position, positionB: position },
    'number',
    ({ positionA, positionB }) =>
      (context) => {
        const a = positionA(context);
        const b = positionB(context);
        if (isNothing(a) || isNothing(b)) return undefined;
        const dx = coerced(member(a, 'x')) - coerced(member(b, 'x'));
        const dy = coerced(member(a, 'y')) - coerced(member(b, 'y'));
        return Math.sqrt(dx * dx + dy * dy);
      },
  ),
  /** The angle is between -π/2 and 3π/2; undefined if the positions are equal. */
  angleBetweenPositions: compiledValue(
    {
      sentence:
        'The direction from position A to position B, an angle from -π/2 to 3π/2. Undefined if the positions are equal.',
      example: { positionB: { function: 'xyCoordinate', x: 200, y: 100 } },
    },
    { positionA: position, positionB: position },
    'number',
    ({ positionA, positionB }, { dialect }) => {
      const isNone = dialect.queriesCheckOperands ? isNothing : isMissing;
      return (context) => {
        const a = positionA(context);
        const b = positionB(context);
        if (isNone(a) || isNone(b)) return undefined;
        const dx = coerced(member(b, 'x')) - coerced(member(a, 'x'));
        const dy = coerced(member(b, 'y')) - coerced(member(a, 'y'));
        return dx === 0 && dy === 0 ? undefined : atan2(dy, dx) + quarterTurn;
      };
    },
  ),
  getLerpPosition: compiledValue(
    {
      sentence: 'The linear interpolation between two positions: A if `alpha` is 0, B if `alpha` is 1.',
      operands: { alpha: 'The fraction of the way from A to B, from 0 to 1.' },
    },
    { positionA: position, positionB: position, alpha: number },
    'position',
    ({ positionA, positionB, alpha }, { dialect }) => {
      const plus = dialect.rectanglesAreValidated ? sum : appended;
      return (context) => {
        const a = positionA(context);
        const b = positionB(context);
        const share = coerced(alpha(context));
        if (isNothing(a) || isNothing(b)) return undefined;
        const [left, top] = [member(a, 'x'), member(a, 'y')];
        const x = (coerced(member(b, 'x')) - coerced(left)) * share;
        const y = (coerced(member(b, 'y')) - coerced(top)) * share;
        return Number.isNaN(x + coerced(left)) || Number.isNaN(y + coerced(top))
          ? undefined
          : { x: plus(x, left), y: plus(y, top) };
      };
    },
  ),
});

function sum(a: number, b: unknown) {
  return coerced(b) + a;
}

/** Adds like `+` in the reference, which concatenates if the second value is a string. */
function appended(a: number, b: unknown): number | string {
  return typeof b === 'string' ? `${a}${b}` : sum(a, b);
}
