import { expect, test } from 'vitest';
import { productError } from '../../engine/core/dmath-double.ts';
import { RandomStream } from '../../engine/core/random.ts';

/** The integer `m` and the exponent `e` of a double `m * 2^e`. */
function exactly(x: number): readonly [m: bigint, e: number] {
  let [m, e] = [x, 0];
  while (!Number.isInteger(m)) [m, e] = [m * 2, e - 1];
  return [BigInt(m), e];
}

/** Whether `a * b` is `high + low` without any rounding. */
function isExact(a: number, b: number, high: number, low: number): boolean {
  const [[ma, ea], [mb, eb], [mh, eh], [ml, el]] = [exactly(a), exactly(b), exactly(high), exactly(low)];
  const least = Math.min(ea + eb, eh, el);
  const at = (m: bigint, e: number): bigint => m << BigInt(e - least);
  return at(ma * mb, ea + eb) === at(mh, eh) + at(ml, el);
}

test('a product plus its rounding error is the exact product', () => {
  const random = new RandomStream('products');
  // All 53 bits are random, because for shorter operands any split is exact.
  const draw = () =>
    (random.integer(2 ** 52, 2 ** 53 - 1) / 2 ** random.integer(20, 60)) * (random.chance(0.5) ? 1 : -1);
  const wrong: unknown[] = [];
  for (let i = 0; i < 5000; i++) {
    const [a, b] = [draw(), draw()];
    if (!isExact(a, b, a * b, productError(a, b, a * b))) wrong.push([a, b]);
  }
  expect(wrong).toEqual([]);
});
