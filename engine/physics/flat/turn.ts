import { sinAndCos } from '../../core/dmath.ts';
import { turnStride } from './body-store.ts';

/** Sine, cosine and angle (radians) of the last call of `turn`. An array, because a number in a variable of the module would be boxed. */
export const turned = new Float64Array(3);

/**
 * Puts sine and cosine of `turned[2]` into `turned[0]` and `turned[1]`. Two angles are cached per body, for the start and the end of its step: most
 * bodies do not turn, and the others need the same angles several times.
 */
export function turn(turns: Float64Array, row: number): void {
  const angle = turned[2]!;
  if (angle === 0) {
    // The sine of -0 is -0.
    turned[0] = angle;
    turned[1] = 1;
    return;
  }
  const i = row * turnStride;
  if (angle === turns[i]) {
    turned[0] = turns[i + 1]!;
    turned[1] = turns[i + 2]!;
    return;
  }
  if (angle === turns[i + 3]) {
    turned[0] = turns[i + 4]!;
    turned[1] = turns[i + 5]!;
    return;
  }
  turns[i + 3] = turns[i]!;
  turns[i + 4] = turns[i + 1]!;
  turns[i + 5] = turns[i + 2]!;
  turns[i] = angle;
  sinAndCos(turns, i);
  turned[0] = turns[i + 1]!;
  turned[1] = turns[i + 2]!;
}
