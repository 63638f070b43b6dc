import { describe, expect, test } from 'vitest';
import { intervalOf, shareInterval } from '../../src/statistics/statistics.ts';
import type { Answer, Result, Setting } from '../../src/sweep/plan.ts';
import { summarise } from '../../src/sweep/summary.ts';
import { sweepCsv, sweepText } from '../../src/sweep/texts.ts';

const settings: readonly Setting[] = [{ path: 'unitTypes.zombie.attributes.speed.value', values: [5, 6] }];
const plan = {
  game: 'my game.json',
  dialect: 'standard',
  bots: [{ count: 8 }],
  seconds: 60,
  until: 'state == "gameover"',
  measures: ['humans', 'won', 'winner'],
} as const;

function result(speed: number, seed: string, ...answers: Answer[]): Result {
  return { point: [speed], seed, ticks: 20, ending: 'time', answers };
}

const results = [
  result(5, '1', 4, true, 'red'),
  result(5, '2', 8, true, 'blue'),
  result(5, '3', 6, false, 'red'),
  result(6, '1', 0, false, null),
  result(6, '2', null, false, 'a "quoted", text'),
];

describe('a summary', () => {
  const { points, whole } = summarise(plan, settings, results);

  test('has a row for each point', () => {
    expect(points.map(({ point, plays }) => [...point, plays])).toEqual([
      [5, 3],
      [6, 2],
    ]);
  });

  test('names settings without effect', () => {
    expect(summarise(plan, settings, results).idle).toEqual([]);
    const same = [result(5, '1', 4), result(6, '1', 4), result(5, '2', 3), result(6, '2', 3)];
    const one = { ...plan, measures: ['humans'] };
    const idle = summarise(one, settings, same);
    expect(idle.idle).toEqual(['unitTypes.zombie.attributes.speed.value']);
    expect(sweepText(idle)).toContain(
      'speed.value: its value did not change the outcome of any run; a script may overwrite it',
    );
    expect(summarise(one, settings, [...same, result(6, '3', 1)]).idle).toEqual(idle.idle);
    expect(summarise(one, settings, [result(5, '1', 4)]).idle).toEqual([]);
  });

  test('gives numbers as a mean with its interval', () => {
    // Student's t for two degrees of freedom is 4.303; the deviation of 4, 6, 8 is 2.
    expect(points[0]!.measures[0]).toMatchObject({ kind: 'mean', count: 3, missing: 0 });
    const { value, low, high } = points[0]!.measures[0]!.estimate!;
    expect(value).toBe(6);
    expect(high! - value).toBeCloseTo((4.303 * 2) / Math.sqrt(3), 6);
    expect(value - low!).toBeCloseTo((4.303 * 2) / Math.sqrt(3), 6);
  });

  test('gives booleans as a share', () => {
    expect(whole[1]).toMatchObject({ kind: 'share', count: 5, estimate: { value: 0.4 } });
  });

  test('counts texts and missing values', () => {
    expect(whole[2]).toMatchObject({ kind: 'texts', missing: 1, texts: { red: 2, blue: 1 } });
    expect(whole[0]).toMatchObject({ count: 4, missing: 1 });
  });

  test('names the seed of each extreme', () => {
    expect(whole[0]).toMatchObject({
      min: { value: 0, seed: '1', point: [6] },
      max: { value: 8, seed: '2', point: [5] },
    });
    expect(whole[1]).toMatchObject({ min: { value: false, seed: '3' }, max: { value: true, seed: '2' } });
  });
});

test('the interval of a share is a Wilson interval within 0 and 1', () => {
  // The example of Wilson (1927) as textbooks give it: 8 of 10.
  const { low, high } = shareInterval(8, 10);
  expect(low).toBeCloseTo(0.4902, 3);
  expect(high).toBeCloseTo(0.9433, 3);
  expect(shareInterval(0, 5).low).toBe(0);
  expect(shareInterval(5, 5).high).toBe(1);
});

test('fewer than three values have no interval', () => {
  expect(intervalOf([1, 3])).toMatchObject({ value: 2, low: null, high: null });
});

test('the text has a table, and a command for each extreme', () => {
  const more = [result(6, '3', 3, true, 'red'), result(6, '4', 3, true, 'blue'), result(6, '5', 3, true, 'blue')];
  const many = ['green', 'grey', 'black'].map((winner, i) => result(6, `${i + 6}`, 3, true, winner));
  const text = sweepText(summarise(plan, settings, [...results, ...more, ...many]));
  const run = (seed: number, speed: number) => {
    return `reenact run 'my game.json' --seed ${seed} --bots 8 --seconds 60 --until 'state == "gameover"' --set unitTypes.zombie.attributes.speed.value=${speed}`;
  };
  expect(text.split('\n')).toEqual([
    'speed.value  runs  humans         won                    winner',
    '5            3     6 ± 4.969      66.7 % (20.8 to 93.9)  red 2, blue 1',
    '6            8     2.571 ± 1.049  75 % (40.9 to 92.9)    blue 2, a "quoted", text 1, black 1, …',
    'all          11    3.6 ± 1.516    72.7 % (43.4 to 90.3)  blue 3, red 3, a "quoted", text 1, …',
    '',
    'humans: minimum and maximum',
    `  0: ${run(1, 6)}`,
    `  8: ${run(2, 5)}`,
    'humans: missing in 1 of 11 runs',
    'won: minimum and maximum',
    `  false: ${run(3, 5)}`,
    `  true: ${run(8, 6)}`,
    'winner: missing in 1 of 11 runs',
    '',
  ]);
});

test('a text that looks like a number stays a text in the command', () => {
  const answer = (value: string, seed: string, answers: readonly Answer[]): Result => {
    return { ...result(5, seed, ...answers), point: [value] };
  };
  const odd = [answer('7', "it's", [1]), answer('true', '2', [2])];
  const text = sweepText(summarise({ ...plan, measures: ['humans'] }, [{ path: 'a.b', values: ['7', 'true'] }], odd));
  expect(text).toContain(`--set 'a.b="7"'`);
  expect(text).toContain(`--set 'a.b="true"'`);
  expect(text).toContain(`--seed 'it'\\''s'`);
});

test('a command has the dialect and the bots of the sweep', () => {
  const special = {
    ...plan,
    dialect: 'moddio except lastKeyWins, dropsKeepHeldAngle',
    bots: [{ count: 1 }, { count: 2, objective: 'coins' }],
    tries: 3,
  } as const;
  expect(sweepText(summarise(special, settings, results))).toContain(
    '--bots 1 --bots 2:winner:coins --tries 3 --seconds 60 --dialect moddio --except lastKeyWins,dropsKeepHeldAngle --until \'state == "gameover"\'',
  );
});

test('CSV has a line per play, with quotes where needed', () => {
  const lines = sweepCsv(summarise(plan, settings, results), results).split('\r\n');
  expect(lines[0]).toBe('unitTypes.zombie.attributes.speed.value,seed,ticks,ending,humans,won,winner');
  expect(lines[5]).toBe('6,2,20,time,,false,"a ""quoted"", text"');
  expect(lines).toHaveLength(7);
});

test.each([
  [['a.b.speed.value', '/c/d/e'], 'speed.value  d.e  runs'],
  [['a.speed.value', 'b.speed.value', 'x'], 'a.speed.value  b.speed.value  x  runs'],
])('columns of the paths %j are called %s', (paths, head) => {
  const many = paths.map((path) => ({ path, values: [1] }));
  const text = sweepText(
    summarise({ ...plan, measures: ['humans'] }, many, [{ ...results[0]!, point: paths.map(() => 1) }]),
  );
  expect(text).toMatch(new RegExp(`^${head}`));
});
