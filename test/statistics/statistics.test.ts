import { describe, expect, test } from 'vitest';
import { intervalOf, percentilesOf, ratioBetween, ratioOf } from '../../src/statistics/statistics.ts';

test('percentiles are times that occurred', () => {
  const times = Array.from({ length: 1000 }, (_, i) => 1000 - i);
  expect(percentilesOf(times)).toEqual({ mean: 500.5, p50: 500, p90: 900, p95: 950, p99: 990, p999: 999, max: 1000 });
});

test('no times have percentiles of 0', () => {
  expect(percentilesOf([]).max).toBe(0);
});

test('the ratio of alternating rounds is independent of load on both', () => {
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

describe('the ratio of sets of different times', () => {
  const even = (from: number, to: number, count: number) =>
    Array.from({ length: count }, (_, i) => from + ((to - from) * i) / (count - 1));

  test('is the median of all ratios, with ends of the interval by rank', () => {
    // 21 and 21 values: 441 ratios, of which the 142nd from either end bounds the interval (tables of Mann and Whitney:
    // U = 142).
    const { value, low, high } = ratioBetween(even(1, 2, 21), even(1, 2, 21));
    expect(value).toBe(1);
    expect(low! * high!).toBeCloseTo(1, 12);
    expect(low).toBeGreaterThan(0.75);
    expect(low).toBeLessThan(0.9);
  });

  test('is robust against one outlier', () => {
    const calm = ratioBetween(even(1, 1.1, 21), even(1, 1.1, 21));
    const wild = ratioBetween([...even(1, 1.1, 20), 1000], even(1, 1.1, 21));
    expect(wild.value / calm.value).toBeCloseTo(1, 2);
    expect(wild.high).toBeLessThan(1.05);
  });

  test('few values give no interval', () => {
    expect(ratioBetween([2, 4, 6], [2, 2, 2, 2])).toEqual({ value: 2, low: null, high: null });
    expect(ratioBetween([2, 2, 2, 2], [1, 1, 1, 1])).toEqual({ value: 2, low: 2, high: 2 });
  });
});

test.each(Array.from({ length: 18 }, (_, i) => i + 3))(
  '95 of 100 means of %i values lie within the interval',
  (count) => {
    const values = Array.from({ length: count }, (_, i) => i);
    const { value, high } = intervalOf(values);
    const deviation = Math.sqrt(values.reduce((sum, each) => sum + (each - value) ** 2, 0) / (count - 1));
    const reach = ((high! - value) / deviation) * Math.sqrt(count);
    // Student's density, integrated by Simpson's rule. Its constant factor follows from the whole area.
    const degrees = count - 1;
    const density = (t: number) => (1 + t ** 2 / degrees) ** (-(degrees + 1) / 2);
    const area = (to: number, steps = 200_000) => {
      let sum = density(0) + density(to);
      for (let i = 1; i < steps; i++) sum += density((to * i) / steps) * (i % 2 === 0 ? 2 : 4);
      return (sum * to) / steps / 3;
    };
    const within = area(reach) / area(2000);
    // From 17 values on the normal quantile is used, which is a little too small.
    expect(Math.abs(within - 0.95)).toBeLessThan(count <= 16 ? 0.0005 : 0.02);
    if (count > 16) expect(reach).toBeCloseTo(1.96, 10);
  },
);
