import { describe, expect, test } from 'vitest';
import { dialects } from '../../engine/definition/dialect.ts';
import { startUsing } from '../../engine/rules/items/use.ts';
import { ratesOf, Timing } from '../../engine/sim/rates.ts';
import { rowOf } from '../../engine/world/entity.ts';
import { attribute, itemType, play, script, unitType } from '../support/play.ts';

const moddio = (frameRate: number, engineTickRate: number): Timing =>
  new Timing(ratesOf({ frameRate, engineTickRate }, dialects.moddio), true);

const clocks = (epochMs = 0) => ({ epochMs, nowMs: 0, frameMs: 0, loopMs: 0, dateMs: 0 });

describe('the clocks of moddio', () => {
  test('at 20 and 20, outer frames are at whole ms, and times in between count from the preceding one', () => {
    const timing = moddio(20, 20);
    const at = clocks();
    expect([1, 2, 3, 4].map((frame) => timing.frameTimeMs(frame))).toEqual([17, 33, 50, 67]);
    for (const [nowMs, frameMs] of [
      [25, 17],
      [33, 17],
      [34, 33],
      [50, 33],
    ] as const) {
      timing.between(at, nowMs);
      expect(at).toMatchObject({ nowMs, frameMs, loopMs: frameMs, dateMs: nowMs });
    }
    timing.atTick(at, 1);
    expect(at).toMatchObject({ nowMs: 50, frameMs: 50, loopMs: 50, dateMs: 50 });
  });

  test('at other rates a frame is a little longer than 1/60 s, and dates are whole ms', () => {
    const timing = moddio(60, 60);
    const at = clocks();
    timing.atTick(at, 1);
    expect(at).toMatchObject({ frameMs: 16.666667, dateMs: 17 });
    timing.atTick(at, 2);
    expect(at).toMatchObject({ frameMs: 33.333334, dateMs: 33 });
  });

  test('in standard all clocks are equal', () => {
    const timing = new Timing(ratesOf({ frameRate: 30, engineTickRate: 20 }, dialects.standard), false);
    const at = clocks();
    timing.atTick(at, 3);
    expect(at).toEqual({ epochMs: 0, nowMs: 100, frameMs: 100, loopMs: 100, dateMs: 100 });
  });

  test('a step of physics is as long as the frames since the last one', () => {
    const timing = moddio(24, 20);
    expect([timing.stepSeconds(clocks(), 3, 3), timing.stepSeconds(clocks(), 5, 2)]).toEqual([
      (3 * 16.666667) / 1000,
      expect.closeTo(2 / 60, 8),
    ]);
    expect(moddio(20, 20).stepSeconds(clocks(), 7, 1)).toBe(1 / 20);
  });
});

test('physics at 24 a second steps by 50 and by 33 ms in moddio', () => {
  const game = play(
    { defaultData: { frameRate: 24, engineTickRate: 20 }, unitTypes: { unit: unitType({}) } },
    { dialect: 'moddio' },
  );
  const unit = game.unit({ x: 200, y: 200 });
  game.ticks(8);
  game.game.physics.setVelocity(unit, 6, 0);
  const moved: number[] = [];
  let before = game.game.physics.bodyX(unit);
  for (let tick = 9; tick <= 18; tick++) {
    game.ticks(1);
    const x = game.game.physics.bodyX(unit);
    if (x !== before) moved.push(x - before);
    before = x;
  }
  // 180 px a second.
  expect(moved.map((px) => Math.round(px))).toEqual([6, 9, 6, 9]);
});

describe('durations that end exactly at a frame', () => {
  test('an item fires again in the frame in which its fire rate has elapsed', () => {
    const game = play(
      {
        defaultData: { frameRate: 20, engineTickRate: 60 },
        unitTypes: { unit: unitType({ inventorySize: 1 }) },
        itemTypes: { gun: itemType({ type: 'weapon', fireRate: 1500 }) },
      },
      { dialect: 'moddio' },
    );
    startUsing(game.game, game.give(game.unit(), 'gun'));
    game.ticks(200);
    const ticks = game.of('unitUsesItem').map(({ tick }) => tick);
    expect(ticks[1]! - ticks[0]!).toBe(90);
  });

  test('regeneration uses the date in whole ms', () => {
    const game = play(
      {
        defaultData: { frameRate: 20, engineTickRate: 60 },
        unitTypes: { unit: unitType({ attributes: { mana: attribute(0, { max: 100, regenerateSpeed: 1 }) } }) },
      },
      { dialect: 'moddio' },
    );
    game.unit();
    const pulses: number[] = [];
    let before = 0;
    for (let tick = 1; tick <= 92; tick++) {
      game.ticks(1);
      const now = game.attribute('u1', 'mana')!;
      if (now !== before) pulses.push(tick);
      before = now;
    }
    // 217 is a rounded multiple of 1000/60: the second wait is one frame longer than the others.
    expect(pulses).toEqual([13, 27, 40, 53, 66, 79, 92]);
  });

  test.each([
    ['moddio', 11],
    ['standard', 10],
  ] as const)('a buff of 500 ms ends in %s in the tick %d after it', (dialect, ticks) => {
    const game = play(
      {
        defaultData: { frameRate: 20, engineTickRate: 20 },
        unitTypes: {
          unit: unitType({
            attributes: { health: attribute(50, { max: 100 }) },
            scripts: {
              second: script('secondTick', [
                {
                  type: 'addAttributeBuffToUnit',
                  entity: { function: 'thisEntity' },
                  attribute: 'health',
                  value: 10,
                  time: 500,
                },
              ]),
            },
          }),
        },
      },
      { dialect },
    );
    const unit = game.unit();
    game.ticks(20);
    const row = game.world.components.attributes.start[rowOf(unit)]!;
    expect(game.world.attributes.max[row]).toBe(110);
    let passed = 0;
    while (game.world.attributes.max[row] === 110 && passed < 30) {
      game.ticks(1);
      passed++;
    }
    expect(passed).toBe(ticks);
  });
});
