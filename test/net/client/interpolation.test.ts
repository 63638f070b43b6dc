import { expect, test } from 'vitest';
import { Interpolator, type Pose } from '../../../src/net/index.ts';
import { jumpQuanta, quantaPerPixel } from '../../../src/net/protocol/frames/frame-layout.ts';
import type { FrameReader, Replica } from '../../../src/net/protocol/frames/frame-reader.ts';

/** The largest move per tick, in px, that does not count as a jump. */
const limit = jumpQuanta / quantaPerPixel;

/** Where a unit is drawn, given its poses by tick. Its velocity is in quanta per tick. */
function drawn(places: Readonly<Record<number, readonly [x: number, y: number, angle?: number]>>, velocity = [0, 0]) {
  const interpolator = new Interpolator();
  const unit = { isPlaced: true, x: 0, y: 0, angle: 0, vx: velocity[0], vy: velocity[1] };
  const replica = unit as unknown as Replica;
  for (const [tick, [x, y, angle = 0]] of Object.entries(places)) {
    Object.assign(unit, { x, y, angle });
    const all = (kind: string) => (kind === 'unit' ? [replica] : []);
    interpolator.record({ frame: Number(tick), all } as unknown as FrameReader);
  }
  return (tick: number): Pose => interpolator.at(replica, tick);
}

test('between two frames a unit is drawn on the straight line, and turns the shorter way', () => {
  const at = drawn({ 10: [0, 0, -3], 12: [20, 8, 3], 14: [20, 8, 3] });
  expect(at(10)).toEqual({ x: 0, y: 0, angle: -3 });
  expect(at(10.5)).toMatchObject({ x: 5, y: 2 });
  expect(at(11).angle).toBeCloseTo(-Math.PI, 10);
  expect(at(13)).toMatchObject({ x: 20, y: 8, angle: 3 });
});

test('a unit that is as fast as can be is still drawn on its way; one that is faster has jumped, and is drawn where it was', () => {
  for (const ticks of [1, 3]) {
    const far = limit * ticks;
    for (const [x, y] of [
      [far, 0],
      [0, -far],
    ] as const) {
      const half = drawn({ 10: [0, 0], [10 + ticks]: [x, y] })(10 + ticks / 2);
      expect([half.x, half.y]).toEqual([x / 2, y / 2]);
      const jumped = drawn({ 10: [0, 0], [10 + ticks]: [x * 1.01, y * 1.01] });
      expect(jumped(10 + ticks / 2)).toMatchObject({ x: 0, y: 0 });
      expect(jumped(10 + ticks)).toMatchObject({ x: x * 1.01, y: y * 1.01 });
    }
  }
});

test('after the newest frame it goes on as fast as it was, for five ticks', () => {
  const at = drawn({ 10: [100, 50] }, [3 * quantaPerPixel, -quantaPerPixel]);
  expect([11, 15, 40].map((tick) => [at(tick).x, at(tick).y])).toEqual([
    [103, 49],
    [115, 45],
    [115, 45],
  ]);
});

test('before the oldest frame that is remembered, it is drawn where it was then', () => {
  const many = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [i + 1, [i + 1, 0] as const]));
  expect(drawn(many)(2)).toMatchObject({ x: 9 });
});

test('a frame that is corrected counts as it came last', () => {
  const interpolator = new Interpolator();
  const unit = { isPlaced: true, x: 0, y: 0, angle: 0, vx: 0, vy: 0 };
  const replica = unit as unknown as Replica;
  const all = (kind: string) => (kind === 'item' ? [replica] : []);
  for (const [frame, x] of [
    [1, 0],
    [2, 50],
    [2, 4],
  ]) {
    unit.x = x!;
    interpolator.record({ frame, all } as unknown as FrameReader);
  }
  expect(interpolator.at(replica, 1.5)).toMatchObject({ x: 2 });
});
