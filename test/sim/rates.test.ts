import { describe, expect, test } from 'vitest';
import { dialects } from '../../engine/definition/dialect.ts';
import { isDue, ratesOf, timeMsOf } from '../../engine/sim/rates.ts';
import { play } from '../support/play.ts';
import { noting, trailOf, trailVariable } from '../support/trail.ts';

type Rate = number | undefined;

describe('standard has one rate', () => {
  test.each<[Rate, Rate, number]>([
    [undefined, undefined, 60],
    [30, undefined, 30],
    [1, undefined, 1],
    [0, undefined, 1],
    [-5, undefined, 1],
    [240, undefined, 240],
    [1000, undefined, 240],
    [30, 20, 30],
    [undefined, 20, 60],
  ])('frameRate %s, engineTickRate %s: %d', (frameRate, engineTickRate, rate) => {
    expect(ratesOf({ frameRate, engineTickRate }, dialects.standard)).toEqual({
      ticksPerSecond: rate,
      scriptsPerSecond: rate,
      physicsPerSecond: rate,
    });
  });
});

describe('moddio has two', () => {
  test.each<[Rate, Rate, physics: number, scripts: number, ticks: number]>([
    [undefined, undefined, 20, 20, 20],
    [20, 20, 20, 20, 20],
    [5, 5, 20, 20, 20],
    [60, 60, 60, 60, 60],
    [100, 100, 60, 60, 60],
    [45, 45, 45, 45, 45],
    [60, undefined, 60, 20, 60],
    [undefined, 60, 20, 60, 60],
    [20, 40, 20, 40, 60],
    [30, 20, 30, 20, 60],
    [5, 100, 20, 60, 60],
  ])('frameRate %s, engineTickRate %s: %d, %d in %d ticks', (frameRate, engineTickRate, physics, scripts, ticks) => {
    expect(ratesOf({ frameRate, engineTickRate }, dialects.moddio)).toEqual({
      ticksPerSecond: ticks,
      scriptsPerSecond: scripts,
      physicsPerSecond: physics,
    });
  });
});

describe('what is due', () => {
  test('occurs evenly and with the right count over an hour', () => {
    for (const ticksPerSecond of [1, 7, 20, 59, 60, 240]) {
      for (const perSecond of [1, 3, 7, 20, 33, 45, 60].filter((each) => each <= ticksPerSecond)) {
        let count = 0;
        let last = 0;
        let widest = 0;
        let narrowest = Number.POSITIVE_INFINITY;
        for (let tick = 1; tick <= 3600 * ticksPerSecond; tick++) {
          if (!isDue(tick, perSecond, ticksPerSecond)) continue;
          count++;
          widest = Math.max(widest, tick - last);
          if (count > 1) narrowest = Math.min(narrowest, tick - last);
          last = tick;
        }
        expect(count).toBe(3600 * perSecond);
        expect(widest).toBe(Math.ceil(ticksPerSecond / perSecond));
        expect(narrowest).toBe(Math.floor(ticksPerSecond / perSecond));
      }
    }
  });

  test.each([
    [1, 60, [60, 120, 180]],
    [20, 60, [3, 6, 9]],
    [45, 60, [2, 3, 4, 6, 7, 8]],
    [60, 60, [1, 2, 3]],
  ])('%d per second in %d ticks', (perSecond, ticksPerSecond, expected) => {
    const due: number[] = [];
    for (let tick = 1; due.length < expected.length; tick++) if (isDue(tick, perSecond, ticksPerSecond)) due.push(tick);
    expect(due).toEqual(expected);
  });
});

describe('the time of a tick', () => {
  test.each([1, 7, 20, 30, 59, 60, 144, 240])('at %d per second is right to a thousandth of a millisecond', (rate) => {
    for (const tick of [0, 0.5, 1, 2, 3, 1000, 3600 * rate + 1]) {
      expect(Math.abs(timeMsOf(tick, rate) - (tick * 1000) / rate)).toBeLessThan(0.0005);
    }
    expect(timeMsOf(3600 * rate, rate)).toBe(3_600_000);
  });

  test.each([
    [60, 6, 100],
    [60, 3, 50],
    [60, 12, 200],
    [30, 6, 200],
    [30, 15, 500],
    [144, 18, 125],
  ])('at %d per second is exact, %d ticks after another, whichever they are', (rate, ticks, ms) => {
    for (let tick = 0; tick < 1000; tick++) expect(timeMsOf(tick, rate) + ms).toBe(timeMsOf(tick + ticks, rate));
  });
});

test('scripts and physics each keep their own rate', () => {
  const game = play(
    {
      defaultData: { frameRate: 30, engineTickRate: 20 },
      variables: trailVariable,
      scripts: { frame: noting('f', 'frameTick'), second: noting('s', 'secondTick') },
    },
    { dialect: 'moddio' },
  );
  let steps = 0;
  game.sim.observePhases((phase) => {
    if (phase === 'physics') steps++;
  });
  game.seconds(2);
  const words = trailOf(game).split(' ');
  expect([game.sim.tick, steps]).toEqual([120, 60]);
  expect([words.filter((word) => word === 'f').length, words.filter((word) => word === 's').length]).toEqual([40, 2]);
});
