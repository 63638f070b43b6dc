import { sinAndCos } from '../../core/dmath.ts';
import { sineCosineCacheStride } from './body-store.ts';

/**
 * Sine and cosine, the results of `computeSineAndCosine`, and its input, an angle in radians. They are in an array,
 * because a number in a module variable would be boxed.
 */
export const sineAndCosine = new Float64Array(3);

/**
 * Stores the sine and the cosine of the angle `sineAndCosine[2]` in `sineAndCosine[0]` and `[1]`. `cache` has two
 * angles per body, for the start and the end of its step: most bodies do not turn, and the others need the same angles
 * several times.
 */
export function computeSineAndCosine(cache: Float64Array, row: number): void {
  const angle = sineAndCosine[2]!;
  if (angle === 0) {
    // Uses the angle itself, because the sine of -0 is -0.
    sineAndCosine[0] = angle;
    sineAndCosine[1] = 1;
    return;
  }
  const i = row * sineCosineCacheStride;
  if (angle === cache[i]) {
    sineAndCosine[0] = cache[i + 1]!;
    sineAndCosine[1] = cache[i + 2]!;
    return;
  }
  if (angle === cache[i + 3]) {
    sineAndCosine[0] = cache[i + 4]!;
    sineAndCosine[1] = cache[i + 5]!;
    return;
  }
  cache[i + 3] = cache[i]!;
  cache[i + 4] = cache[i + 1]!;
  cache[i + 5] = cache[i + 2]!;
  cache[i] = angle;
  sinAndCos(cache, i);
  sineAndCosine[0] = cache[i + 1]!;
  sineAndCosine[1] = cache[i + 2]!;
}
