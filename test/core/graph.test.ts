import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ByteReader, ByteWriter, MalformedBytes, TooManyBytes } from '../../engine/core/bytes.ts';
import { type GraphAdapters, GraphReader, GraphWriter } from '../../engine/core/graph.ts';
import { GraphCopier } from '../../engine/core/graph-copy.ts';
import { hashText } from '../../engine/core/hash.ts';
import { runs } from '../support/property.ts';

/** A class that a graph only knows by an adapter. */
class Point {
  readonly x: number;
  readonly name: string;

  constructor(x: number, name: string) {
    this.x = x;
    this.name = name;
  }
}

const adapters: GraphAdapters = [
  {
    owns: (value): value is Point => value instanceof Point,
    save: ({ x, name }: Point) => [x, name],
    restore([x, name]) {
      if (typeof x !== 'number' || typeof name !== 'string') throw new MalformedBytes('This is no point.');
      return new Point(x, name);
    },
    show: ({ name }: Point) => name,
  },
];

function bytesOf(isHash: boolean, ...values: unknown[]): Uint8Array {
  return limitedBytesOf(Number.POSITIVE_INFINITY, isHash, values);
}

function limitedBytesOf(bytesMax: number, isHash: boolean, values: readonly unknown[]): Uint8Array {
  const writer = new GraphWriter(adapters, isHash, bytesMax);
  const rest = new ByteWriter();
  for (const value of values) writer.value(value, rest);
  return writer.whole(rest);
}

function read(bytes: Uint8Array, count = 1): unknown[] {
  const reader = new GraphReader(new ByteReader(bytes), adapters);
  return Array.from({ length: count }, () => reader.value());
}

type Copy = (...values: unknown[]) => unknown[];
const throughBytes: Copy = (...values) => read(bytesOf(false, ...values), values.length);
const copied: Copy = (...values) => {
  const copier = new GraphCopier(adapters);
  return values.map((value) => copier.value(value));
};

function hashOf(...values: unknown[]): string {
  return hashText(bytesOf(true, ...values).join());
}

const long = 'x'.repeat(1000);

/** Here `__proto__` is the name of an own member, not the prototype. */
const odd: Record<string, unknown> = Object.defineProperty({}, '__proto__', { value: 1, enumerable: true });

describe.each([
  ['comes back from its bytes', throughBytes],
  ['is copied', copied],
])('a value %s as it was:', (_way, copies) => {
  const copyOf = (value: unknown): unknown => copies(value)[0];

  test.each<[name: string, value: unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['true and false', [true, false]],
    ['numbers, all bits', [0, -0, 1, -1, 0.1, 1e308, 5e-324, Number.NaN, Infinity, -Infinity, 2 ** 53]],
    ['texts', ['', 'a', 'ä€😀', '\ud800', long]],
    ['an object', { a: 1, b: { c: [] } }],
    ['a member without a value', { a: undefined }],
    ['the order of members', { b: 1, a: 2 }],
    [
      'a Map, in its order',
      new Map<unknown, unknown>([
        ['b', 1],
        [1, 'x'],
        ['a', {}],
      ]),
    ],
    ['an object of a class', new Point(0.5, 'here')],
    ['a name that is none', odd],
  ])('%s', (_, value) => {
    expect(copyOf(value)).toStrictEqual(value);
    expect(Object.is(copyOf(-0), -0)).toBe(true);
  });

  test('the order of the members of an object and of a Map', () => {
    expect(Object.keys(copyOf({ b: 1, a: 2 }) as object)).toEqual(['b', 'a']);
    expect([
      ...(
        copyOf(
          new Map([
            ['b', 1],
            ['a', 2],
          ]),
        ) as Map<string, number>
      ).keys(),
    ]).toEqual(['b', 'a']);
  });

  test('very long texts of equal length, some of them equal', () => {
    const texts = ['a', 'b', 'a'].map((end) => 'x'.repeat(20_000) + end);
    expect(copyOf(texts)).toEqual(texts);
    // Each distinct text is written once.
    expect(bytesOf(false, texts).length).toBeLessThan(2.1 * 20_000);
  });

  test('shared objects stay shared, also between two values, and cycles stay cycles', () => {
    const shared = { n: 1 };
    const ring: Record<string, unknown> = { shared };
    ring['self'] = ring;
    const [first, second] = copies(ring, [shared, { n: 1 }]) as [Record<string, unknown>, unknown[]];
    expect(first['self']).toBe(first);
    expect(second[0]).toBe(first['shared']);
    expect(second[1]).not.toBe(first['shared']);
  });

  test('frozen objects stay frozen, and others stay mutable', () => {
    const copy = copyOf({ frozen: Object.freeze([1]), free: [1] }) as Record<string, unknown>;
    expect([Object.isFrozen(copy['frozen']), Object.isFrozen(copy['free'])]).toEqual([true, false]);
  });

  test('deeply nested objects do not overflow the stack', () => {
    let deep: unknown[] = [];
    for (let i = 0; i < 100_000; i++) deep = [deep];
    let levels = 0;
    for (let at = copyOf(deep) as unknown[]; at.length > 0; at = at[0] as unknown[]) levels++;
    expect(levels).toBe(100_000);
    expect(hashOf(deep)).not.toBe(hashOf([deep]));
  });

  test('any JSON', () => {
    const json = fc.jsonValue();
    fc.assert(
      fc.property(json, (value) => {
        expect(copyOf(value)).toStrictEqual(value);
      }),
      runs(500),
    );
  });
});

test('a repeated string is written once', () => {
  expect(bytesOf(false, ...new Array(50).fill(long)).length).toBeLessThan(long.length + 200);
});

test.each<[name: string, value: unknown]>([
  ['a function', () => 1],
  ['a symbol', Symbol('x')],
  ['an object of an unknown class', new Date(0)],
])('%s cannot be part of a state', (_, value) => {
  expect(() => bytesOf(false, [value])).toThrow(/a state contains no|plain objects/);
});

/** A frozen list that contains another one twice, and so on. A hash writes a frozen list each time. */
function doubled(times: number): unknown {
  let list: unknown = 1;
  for (let i = 0; i < times; i++) list = Object.freeze([list, list]);
  return list;
}

const hundred = 'y'.repeat(100_000);

test.each<[name: string, isHash: boolean, value: unknown]>([
  ['one long text', false, 'z'.repeat(600_000)],
  ['a text in many places', true, Array.from({ length: 100_000 }, () => hundred)],
  ['texts that share memory', false, Array.from({ length: 100_000 }, (_, i) => `${hundred}${i}`)],
  ['many numbers', false, Array.from({ length: 1e6 }, () => 1)],
  ['frozen lists within each other', true, doubled(60)],
])('the limit ends the writing of %s', (_name, isHash, value) => {
  expect(() => limitedBytesOf(500_000, isHash, [value])).toThrow(TooManyBytes);
});

test('a limit that is not reached changes nothing', () => {
  const value = [long, { a: long }, 'b', [1, 2]];
  expect(limitedBytesOf(5000, false, [value])).toEqual(bytesOf(false, value));
});

describe('invalid bytes', () => {
  const bytes = bytesOf(false, { a: [1, 'x'], b: new Map([['k', new Point(1, 'p')]]) });

  test('truncated bytes are rejected at every length', () => {
    for (let length = 0; length < bytes.length; length++) {
      expect(() => read(bytes.slice(0, length)), `${length} bytes`).toThrow(MalformedBytes);
    }
  });

  test('a changed byte gives a valid value or a MalformedBytes error, and nothing else', () => {
    for (let at = 0; at < bytes.length; at++) {
      for (const bit of [1, 16, 128]) {
        const changed = bytes.slice();
        changed[at]! ^= bit;
        try {
          read(changed);
        } catch (error) {
          expect(error, `byte ${at}`).toBeInstanceOf(MalformedBytes);
        }
      }
    }
  });
});

describe('the hash of a graph', () => {
  const point = new Point(1, 'p');

  test.each<[name: string, left: unknown, right: unknown]>([
    ['a number', [1], [2]],
    ['the sign of zero', [0], [-0]],
    ['a number and its text', [1], ['1']],
    ['nothing and null', [undefined], [null]],
    ['a list and an object', [[]], [{}]],
    ['an object and a Map', [{}], [new Map()]],
    ['the name of a member', { a: 1 }, { b: 1 }],
    ['the order of members', { a: 1, b: 2 }, { b: 2, a: 1 }],
    ['where a list ends', [[1], 2], [[1, 2]]],
    ['where a text ends', ['ab', 'c'], ['a', 'bc']],
    ['the end of a long text', [`${long}a`], [`${long}b`]],
    ['one object twice, and two that are equal', [point, point], [point, new Point(1, 'p')]],
    ['which of two objects comes again', twice(0), twice(1)],
    ['a ring and what it unrolls to', ring(1), ring(2)],
    ['a part of an adapted object', new Point(1, 'p'), new Point(1, 'q')],
  ])('counts %s', (_, left, right) => {
    expect(hashOf(left)).not.toBe(hashOf(right));
  });

  test('is the same for equal graphs', () => {
    const made = () => ({ a: [1, new Map([['k', { deep: long }]])], b: new Point(2, 'x') });
    expect(hashOf(made())).toBe(hashOf(made()));
    expect(hashOf(...throughBytes(made()))).toBe(hashOf(made()));
  });

  test('does not depend on whether frozen objects are shared', () => {
    const part = Object.freeze({ n: 1 });
    expect(hashOf([part, part])).toBe(hashOf([part, Object.freeze({ n: 1 })]));
  });
});

/** Two equal objects, followed by one of them again. */
function twice(which: number): unknown {
  const both = [{ n: 1 }, { n: 1 }];
  return [...both, both[which]];
}

/** A cycle of `length` lists. */
function ring(length: number): unknown {
  const lists: unknown[][] = Array.from({ length }, () => []);
  for (const [i, list] of lists.entries()) list.push(lists[(i + 1) % length]);
  return lists[0];
}
