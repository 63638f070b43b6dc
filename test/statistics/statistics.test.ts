import { expect, test } from 'vitest';
import { percentilesOf, ratioOf } from '../../src/statistics/statistics.ts';

test('percentiles are times that occurred', () => {
  const times = Array.from({ length: 1000 }, (_, i) => 1000 - i);
  expect(percentilesOf(times)).toEqual({ mean: 500.5, p50: 500, p90: 900, p95: 950, p99: 990, p999: 999, max: 1000 });
});

test('no times have percentiles of 0', () => {
  expect(percentilesOf([]).max).toBe(0);
});

test('a ratio of rounds that took turns does not see what the machine did to both', () => {
  const drift = [1, 5, 2, 9, 3];
  const { value, low, high } = ratioOf(
    drift.map((each) => each * 2),
    drift,
  );
  expect(value).toBeCloseTo(2, 12);
  expect(low).toBeCloseTo(2, 12);
  expect(high).toBeCloseTo(2, 12);
});

test('the interval holds the ratio and is wider for rounds that disagree', () => {
  const base = [1, 1, 1, 1];
  const calm = ratioOf([1.1, 1.2, 1.1, 1.2], base);
  const wild = ratioOf([0.6, 2.2, 0.6, 2.2], base);
  expect(calm.low).toBeLessThan(calm.value);
  expect(calm.high).toBeGreaterThan(calm.value);
  expect(wild.high! - wild.low!).toBeGreaterThan(calm.high! - calm.low!);
});

test('two rounds are too few for an interval', () => {
  expect(ratioOf([2, 2], [1, 1])).toEqual({ value: 2, low: null, high: null });
});
