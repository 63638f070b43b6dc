import { describe, expect, test } from 'vitest';
import { type Channel, type Comparison, compareRecords, firstDivergence, percent, sameValue } from './compare.ts';
import type { Members, Sample } from './history.ts';
import { record, row, sample } from './support.ts';

const walker: Members = { type: 'walker', owner: 'p1', at: [10, 10], slots: ['i1'], attributes: { health: 5 } };

function unit(parts: Partial<Members> = {}): Partial<Sample> {
  return { units: new Map([['u1', { ...walker, ...parts } as Members]]) };
}

function compared(expected: Partial<Sample>, got: Partial<Sample>): Comparison {
  return compareRecords(record({ samples: [sample(1, expected)] }), record({ samples: [sample(1, got)] }), 20);
}

function paths({ differences }: Comparison, channel: Channel): string[] {
  return differences.filter((difference) => difference.channel === channel).map(({ path }) => path);
}

describe('values', () => {
  const cases: [expected: unknown, got: unknown, same: boolean][] = [
    [5, 5.0009, true],
    [5, 5.002, false],
    ['0.15', 0.15, true],
    ['', undefined, true],
    [null, '$undefined', true],
    [0, null, false],
    ['0', '', false],
    ['a', 'b', false],
    ['@u1', '@u1', true],
    ['$Infinity', '$Infinity', true],
    ['NaN', Number.NaN, true],
    ['$NaN', Number.NaN, true],
    ['NaN', '$NaN', true],
    ['NaN', 0, false],
    ['NaN', undefined, false],
    [5, Number.NaN, false],
    [true, 'true', false],
    [{ a: 1 }, { a: 1, b: null }, true],
    [{ a: 1 }, { a: 1, b: 2 }, false],
    [['i1', null], ['i1', null], true],
    [['i1'], ['i1', 'i2'], false],
  ];
  test.each(cases)('%j and %j: same %s', (expected, got, same) => {
    expect(sameValue(expected, got)).toBe(same);
  });
});

describe('units', () => {
  const cases: [
    what: string,
    theirs: Partial<Members>,
    ours: Partial<Members>,
    channels: Partial<Record<Channel, string[]>>,
  ][] = [
    ['within a pixel', {}, { at: [10.7, 10.7] }, {}],
    ['more than a pixel away', {}, { at: [10.8, 10.8] }, { positions: ['u1.at'], units: ['u1.at'] }],
    ['of a computer player, away', { owner: 'c1' }, { owner: 'c1', at: [12, 10] }, { units: ['u1.at'] }],
    ['of another type', {}, { type: 'runner' }, { units: ['u1.type'] }],
    ['of another owner', {}, { owner: 'p2' }, { units: ['u1.owner'] }],
    ['with another attribute', {}, { attributes: { health: 4 } }, { attributes: ['u1.attributes.health'] }],
    ['with one more', {}, { attributes: { health: 5, mana: 1 } }, { attributes: ['u1.attributes.mana'] }],
    [
      'with none, which JSON writes as null',
      { attributes: { health: null } },
      { attributes: { health: Number.NaN } },
      {},
    ],
    ['attributes of a computer player', { owner: 'c1' }, { owner: 'c1', attributes: { health: 4 } }, {}],
    ['with other slots', {}, { slots: [] }, { slots: ['u1.slots'] }],
  ];
  test.each(cases)('%s', (_what, theirs, ours, channels) => {
    const comparison = compared(unit(theirs), unit(ours));
    for (const channel of ['attributes', 'positions', 'units', 'slots'] as const) {
      expect(paths(comparison, channel), channel).toEqual(channels[channel] ?? []);
    }
  });

  test('a unit that only the recording has differs in all fields', () => {
    const comparison = compared(unit(), {});
    expect(paths(comparison, 'attributes')).toEqual(['u1.attributes.health']);
    expect(paths(comparison, 'positions')).toEqual(['u1.at']);
    expect(paths(comparison, 'units')).toEqual(['u1']);
  });

  test('an additional unit is reported by its position', () => {
    const comparison = compared({}, unit());
    expect(paths(comparison, 'attributes')).toEqual([]);
    expect(paths(comparison, 'positions')).toEqual(['u1.at']);
    expect(paths(comparison, 'units')).toEqual(['u1']);
  });
});

test('players, variables and counts are compared by member', () => {
  const player = (parts: object) => ({
    players: new Map([['p1', { type: 'human', units: ['u1'], attributes: {}, ...parts }]]),
  });
  expect(paths(compared(player({}), player({ units: [] })), 'players')).toEqual(['p1']);
  expect(paths(compared(player({ attributes: { score: 1 } }), player({})), 'attributes')).toEqual([
    'p1.attributes.score',
  ]);
  expect(paths(compared({ variables: { a: 1 } }, { variables: { b: 1 } }), 'variables')).toEqual([
    'variables.a',
    'variables.b',
  ]);
  expect(paths(compared({ counts: { 'unit:a': 1 } }, { counts: {} }), 'counts')).toEqual(['counts.unit:a']);
});

describe('triggers', () => {
  const triggers = (expected: number[], got: number[]) =>
    compareRecords(
      record({ triggers: expected.map((tick) => row(tick)) }),
      record({ triggers: got.map((tick) => row(tick)) }),
      20,
    );

  test('are counted by kind and second, and ordered to within a tick', () => {
    const same = triggers([19, 20, 21], [20, 20, 21]);
    expect(percent(same.shares.triggers)).toBe(100);
    expect(same.rows).toEqual({ equal: 3, expected: 3, got: 3 });
    expect(same.order).toBeUndefined();

    const late = triggers([20, 30], [21, 30]);
    expect(late.shares.triggers).toEqual({ held: 0, made: 2 });
    expect(late.rows.equal).toBe(2);
  });

  test('that are missing, too many, or of another entity break the order', () => {
    expect(triggers([5, 10], [5]).order).toMatchObject({ index: 1, expected: { tick: 10 }, got: undefined });
    expect(triggers([5], [5, 9]).order).toMatchObject({ index: 1, expected: undefined, got: { tick: 9 } });
    const other = compareRecords(
      record({ triggers: [row(1, 'unit:a b', 'u1')] }),
      record({ triggers: [row(1, 'unit:a b', 'u2')] }),
      20,
    );
    expect(other.rows.equal).toBe(0);
  });

  test('frame ticks are counted', () => {
    const frames = (list: number[]) => record({ frameTicks: new Map([['global frameTick', list]]) });
    expect(compareRecords(frames([0, 20, 20]), frames([0, 20, 19]), 20).differences).toMatchObject([
      { second: 2, channel: 'triggers', path: 'global frameTick', expected: 20, got: 19 },
    ]);
  });
});

describe('the first divergence', () => {
  const both = (orderTick: number, second: number) =>
    firstDivergence(
      compareRecords(
        record({ triggers: [row(orderTick)], samples: [sample(second, { variables: { a: 1 } })] }),
        record({ triggers: [row(orderTick + 2)], samples: [sample(second)] }),
        20,
      ),
      20,
    );

  test('is a state that differs at the end of a second before', () => {
    expect(both(41, 2)).toMatchObject({ state: { path: 'variables.a' } });
  });

  test('is a trigger, whose tick is known, within the same second', () => {
    expect(both(38, 2)).toMatchObject({ order: { expected: { tick: 38 } } });
  });

  test('does not exist if all is equal', () => {
    expect(firstDivergence(compareRecords(record(), record(), 20), 20)).toBeUndefined();
  });
});
