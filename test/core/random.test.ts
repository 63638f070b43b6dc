import { describe, expect, test } from 'vitest';
import { type RandomState, RandomStream, RandomStreams } from '../../engine/core/random.ts';

const draws = (stream: RandomStream, count: number) => Array.from({ length: count }, () => stream.next());

describe('a stream', () => {
  test('draws the pinned numbers', () => {
    const stream = new RandomStreams('seed').stream('loot');
    expect(draws(stream, 4)).toEqual([0.5039295598398894, 0.536629345966503, 0.626815895549953, 0.7210309028159827]);
    expect(Array.from({ length: 6 }, () => stream.integer(1, 6))).toEqual([6, 4, 3, 1, 5, 2]);
    expect(stream.integer(0, Number.MAX_SAFE_INTEGER - 1)).toBe(7612087778110647);
  });

  test('is evenly spread over [0, 1)', () => {
    const stream = new RandomStream('even');
    const bins = new Array<number>(10).fill(0);
    for (let i = 0; i < 100_000; i++) {
      const x = stream.next();
      expect(x >= 0 && x < 1).toBe(true);
      bins[Math.floor(x * 10)]!++;
    }
    for (const bin of bins) expect(Math.abs(bin - 10_000)).toBeLessThan(400);
  });

  test.each([
    [-5, 5],
    [0, 0.001],
    [1e6, 1e9],
    [7, 7],
    [3, -3],
  ])('between %d and %d', (min, max) => {
    const stream = new RandomStream('between');
    for (let i = 0; i < 1000; i++) {
      const x = stream.between(min, max);
      expect(x >= Math.min(min, max) && x <= Math.max(min, max)).toBe(true);
    }
  });

  test.each([
    [1, 6],
    [0, 1],
    [-3, 3],
    [4, 4],
  ])('integers from %d to %d include both and favour none', (min, max) => {
    const stream = new RandomStream('dice');
    const counts = new Map<number, number>();
    const each = 2000;
    const rounds = each * (max - min + 1);
    for (let i = 0; i < rounds; i++) {
      const n = stream.integer(min, max);
      counts.set(n, (counts.get(n) ?? 0) + 1);
    }
    expect([...counts.keys()].sort((a, b) => a - b)).toEqual(Array.from({ length: max - min + 1 }, (_, i) => min + i));
    for (const count of counts.values()) expect(Math.abs(count - each)).toBeLessThan(200);
  });

  test('integers of a range beyond 32 bits reach odd ones too', () => {
    const stream = new RandomStream('wide');
    const odd = Array.from({ length: 200 }, () => stream.integer(0, 2 ** 50)).filter((n) => n % 2 === 1);
    expect(odd.length).toBeGreaterThan(60);
  });

  test.each([
    [0.5, 3],
    [3, 1],
    [Number.NaN, 1],
    [0, Number.POSITIVE_INFINITY],
  ])('an integer from %d to %d is refused as a bug of the caller', (min, max) => {
    expect(() => new RandomStream('bug').integer(min, max)).toThrow('random integer');
  });

  test('picks every item, and from an empty list nothing, without a draw', () => {
    const stream = new RandomStream('pick');
    const picked = new Set(Array.from({ length: 100 }, () => stream.pick(['sword', 'bow', 'shield'])));
    expect([...picked].sort()).toEqual(['bow', 'shield', 'sword']);
    const before = stream.save();
    expect(stream.pick([])).toBeUndefined();
    expect(stream.save()).toEqual(before);
  });

  test.each([
    [0, 0, 0],
    [-1, 0, 0],
    [1, 1000, 1000],
    [2, 1000, 1000],
    [Number.NaN, 0, 0],
    [0.1, 60, 140],
  ])('a chance of %d holds %d to %d times in 1000', (probability, least, most) => {
    const stream = new RandomStream('chance');
    let hits = 0;
    for (let i = 0; i < 1000; i++) if (stream.chance(probability)) hits++;
    expect(hits).toBeGreaterThanOrEqual(least);
    expect(hits).toBeLessThanOrEqual(most);
  });

  test('continues exactly from a saved state, also through JSON', () => {
    const stream = new RandomStream('save');
    draws(stream, 17);
    const saved = JSON.parse(JSON.stringify(stream.save()));
    const expected = draws(stream, 50);
    stream.restore(saved);
    expect(draws(stream, 50)).toEqual(expected);
    const other = new RandomStream('another seed');
    other.restore(saved);
    expect(draws(other, 50)).toEqual(expected);
  });

  test('a saved state does not change with the stream', () => {
    const stream = new RandomStream('copy');
    const saved = stream.save();
    const copy = { ...saved };
    draws(stream, 3);
    expect(saved).toEqual(copy);
    stream.restore(saved);
    draws(stream, 3);
    expect(saved).toEqual(copy);
  });
});

describe('streams', () => {
  test('do not affect each other', () => {
    const calm = new RandomStreams('match');
    const busy = new RandomStreams('match');
    draws(busy.stream('ai'), 1000);
    expect(draws(busy.stream('scripts'), 20)).toEqual(draws(calm.stream('scripts'), 20));
  });

  test('give the same numbers if they are drawn from alternately', () => {
    const asked = [
      ['match', 'ai'],
      ['match', 'scripts'],
      ['other', 'ai'],
    ] as const;
    const alone = asked.map(([seed, name]) => draws(new RandomStreams(seed).stream(name), 10));
    const streams = asked.map(([seed, name]) => new RandomStreams(seed).stream(name));
    const inTurn = streams.map((): number[] => []);
    for (let i = 0; i < 10; i++) for (const [at, stream] of streams.entries()) inTurn[at]!.push(stream.next());
    expect(inTurn).toEqual(alone);
  });

  test('differ by name and by seed', () => {
    const streams = new RandomStreams('match');
    const firsts = [streams.stream('ai'), streams.stream('scripts'), new RandomStreams('other').stream('ai')].map((s) =>
      s.next(),
    );
    expect(new Set(firsts).size).toBe(3);
  });

  test('always give the same stream for a name', () => {
    const streams = new RandomStreams('match');
    expect(streams.stream('ai')).toBe(streams.stream('ai'));
  });

  test('continue from a saved state, and those created later start from the beginning', () => {
    const streams = new RandomStreams('match');
    const ai = streams.stream('ai');
    draws(ai, 5);
    draws(streams.stream('scripts'), 2);
    const saved = new Map<string, RandomState>(JSON.parse(JSON.stringify([...streams.save()])));
    expect([...saved.keys()]).toEqual(['ai', 'scripts']);
    const expected = [draws(ai, 10), draws(streams.stream('scripts'), 10), draws(streams.stream('spawn'), 10)];

    streams.restore(saved);
    expect([draws(ai, 10), draws(streams.stream('scripts'), 10), draws(streams.stream('spawn'), 10)]).toEqual(expected);

    const elsewhere = new RandomStreams('match');
    elsewhere.restore(saved);
    expect(['ai', 'scripts', 'spawn'].map((name) => draws(elsewhere.stream(name), 10))).toEqual(expected);
  });

  test('accept any name', () => {
    const names = ['__proto__', 'constructor', 'toString', ''];
    const streams = new RandomStreams('match');
    for (const name of names) draws(streams.stream(name), 3);
    const saved = streams.save();
    expect([...saved.keys()]).toEqual(names);
    const expected = names.map((name) => streams.stream(name).next());
    streams.restore(saved);
    expect(names.map((name) => streams.stream(name).next())).toEqual(expected);
  });
});
