import { describe, expect, test } from 'vitest';
import { hashText, StateHasher } from '../../engine/core/hash.ts';

function digestOf(feed: (hasher: StateHasher) => void): string {
  const hasher = new StateHasher();
  feed(hasher);
  return hasher.digest();
}

const digestOfValue = (value: unknown) => digestOf((hasher) => hasher.value(value));

/** How many of the 64 bits two digests differ in. */
function bitsApart(a: string, b: string): number {
  let difference = BigInt(`0x${a}`) ^ BigInt(`0x${b}`);
  let count = 0;
  for (; difference > 0n; difference >>= 1n) count += Number(difference & 1n);
  return count;
}

test('the same digests as ever', () => {
  // Digests are recorded in journals and goldens: changing one invalidates them all.
  const golden: [string, string][] = [
    ['nothing', digestOf(() => {})],
    ['integer', digestOf((h) => h.int(42))],
    ['negative integer', digestOf((h) => h.int(-1))],
    ['wide integer', digestOf((h) => h.int(2 ** 40 + 1))],
    ['float', digestOf((h) => h.float(0.1))],
    ['not a number', digestOf((h) => h.float(Number.NaN))],
    ['text', hashText('zombie')],
    ['odd text', hashText('zombi')],
    ['value', digestOfValue({ name: 'door', open: false, at: [1, 2.5, null], tags: {} })],
  ];
  expect(Object.fromEntries(golden)).toEqual({
    nothing: '08b673610784498f',
    integer: '636be090dc81a318',
    'negative integer': 'f11c0fefa8afea99',
    'wide integer': 'ab4fbe6dfc19eb9a',
    float: '1c4983719f6514d9',
    'not a number': '151d97ce37acfc23',
    text: '9a8244d932307c37',
    'odd text': 'c576994459df0cbd',
    value: '63650a63d063c7bd',
  });
});

describe('tells apart', () => {
  const rows: [string, (h: StateHasher) => void][] = [
    ['nothing', () => {}],
    ['the integer 1', (h) => h.int(1)],
    ['the float 1', (h) => h.float(1)],
    ['the text 1', (h) => h.string('1')],
    ['true', (h) => h.value(true)],
    ['false', (h) => h.value(false)],
    ['null', (h) => h.value(null)],
    ['undefined', (h) => h.value(undefined)],
    ['the integer 0', (h) => h.int(0)],
    ['two integers 0', (h) => [h.int(0), h.int(0)]],
    ['three integers 0', (h) => [h.int(0), h.int(0), h.int(0)]],
    ['the float 0', (h) => h.float(0)],
    ['the float -0', (h) => h.float(-0)],
    ['NaN', (h) => h.float(Number.NaN)],
    ['Infinity', (h) => h.float(Number.POSITIVE_INFINITY)],
    ['-Infinity', (h) => h.float(Number.NEGATIVE_INFINITY)],
    ['2^32', (h) => h.int(2 ** 32)],
    ['2^32 + 1', (h) => h.int(2 ** 32 + 1)],
    ['-2^32', (h) => h.int(-(2 ** 32))],
    ['2^31', (h) => h.int(2 ** 31)],
    ['-2^31', (h) => h.int(-(2 ** 31))],
    ['1 then 2', (h) => [h.int(1), h.int(2)]],
    ['2 then 1', (h) => [h.int(2), h.int(1)]],
    ['the empty text', (h) => h.string('')],
    ['two empty texts', (h) => [h.string(''), h.string('')]],
    ['ab, c', (h) => [h.string('ab'), h.string('c')]],
    ['a, bc', (h) => [h.string('a'), h.string('bc')]],
    ['abc', (h) => h.string('abc')],
    ['a zero unit', (h) => h.string('\0')],
    ['two zero units', (h) => h.string('\0\0')],
    ['a lone surrogate', (h) => h.string('\ud800')],
    ['another lone surrogate', (h) => h.string('\udc00')],
    ['an empty array', (h) => h.value([])],
    ['an empty object', (h) => h.value({})],
    ['an array in an array', (h) => h.value([[]])],
    ['two arrays in an array', (h) => h.value([[], []])],
    ['an array in an array in an array', (h) => h.value([[[]]])],
    ['[1, 2]', (h) => h.value([1, 2])],
    ['[[1], 2]', (h) => h.value([[1], 2])],
    ['[1, [2]]', (h) => h.value([1, [2]])],
    ['{ a: 1 }', (h) => h.value({ a: 1 })],
    ["['a', 1]", (h) => h.value(['a', 1])],
    ['{ a: 1, b: 2 }', (h) => h.value({ a: 1, b: 2 })],
    ['{ b: 2, a: 1 }', (h) => h.value({ b: 2, a: 1 })],
    ['{ a: { b: 2 } }', (h) => h.value({ a: { b: 2 } })],
    ['[undefined]', (h) => h.value([undefined])],
    ['[null]', (h) => h.value([null])],
  ];

  test('everything in this list from everything else in it', () => {
    const seen = new Map<string, string>();
    for (const [about, feed] of rows) {
      const digest = digestOf(feed);
      expect(digest).toMatch(/^[0-9a-f]{16}$/);
      expect(seen.get(digest), `${about} has the digest of ${seen.get(digest)}`).toBeUndefined();
      seen.set(digest, about);
    }
  });

  test('250 000 pairs of small integers', () => {
    const hasher = new StateHasher();
    const seen = new Set<string>();
    for (let a = 0; a < 500; a++) {
      for (let b = 0; b < 500; b++) {
        hasher.reset();
        hasher.int(a);
        hasher.int(b);
        seen.add(hasher.digest());
      }
    }
    expect(seen.size).toBe(250_000);
  });
});

describe('holds equal', () => {
  test('every NaN', () => {
    const odd = new Float64Array(new BigUint64Array([0xfff8000000000123n]).buffer)[0]!;
    expect(digestOf((h) => h.float(odd))).toBe(digestOf((h) => h.float(Number.NaN)));
  });

  test('a value and its copy through JSON, members that hold undefined included', () => {
    const value = { name: 'orc', health: 12.5, owner: undefined, items: [{ id: 3, worn: true }, null], notes: 'ä€😀' };
    expect(digestOfValue(JSON.parse(JSON.stringify(value)))).toBe(digestOfValue(value));
  });

  test('an object without a prototype and one with', () => {
    expect(digestOfValue(Object.assign(Object.create(null), { a: 1 }))).toBe(digestOfValue({ a: 1 }));
  });

  test('-0 and 0 as integers', () => {
    expect(digestOf((h) => h.int(-0))).toBe(digestOf((h) => h.int(0)));
  });
});

test('reading the digest disturbs nothing, and reset forgets everything', () => {
  const hasher = new StateHasher();
  hasher.string('left over');
  hasher.reset();
  hasher.int(1);
  expect(hasher.digest()).toBe(hasher.digest());
  hasher.int(2);
  expect(hasher.digest()).toBe(digestOf((h) => [h.int(1), h.int(2)]));
});

test.each([
  ['a function', () => 1],
  ['a map', new Map()],
  ['a date', new Date(0)],
  ['a big integer', 1n],
  ['a symbol', Symbol('x')],
  ['a typed array', new Float64Array(1)],
])('%s is not JSON-like', (_about, value) => {
  expect(() => digestOfValue(value)).toThrow('JSON-like');
});

test.each([0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])('%d is not an integer to be hashed', (n) => {
  expect(() => new StateHasher().int(n)).toThrow('safe integer');
});

test('one bit of input turns over about half of the digest', () => {
  let total = 0;
  let least = 64;
  let count = 0;
  for (let base = 0; base < 200; base++) {
    const digest = digestOf((h) => [h.int(base * 7919), h.float(base)]);
    for (let bit = 0; bit < 32; bit++) {
      const apart = bitsApart(
        digest,
        digestOf((h) => [h.int((base * 7919) ^ (1 << bit)), h.float(base)]),
      );
      total += apart;
      least = Math.min(least, apart);
      count++;
    }
  }
  expect(total / count).toBeGreaterThan(31);
  expect(total / count).toBeLessThan(33);
  expect(least).toBeGreaterThan(10);
});

describe('many numbers at once', () => {
  const floats = Float64Array.from({ length: 11 }, (_, i) => (i % 3 === 2 ? Number.POSITIVE_INFINITY : i / 7 - 0.5));
  const bulk = (values: Float64Array): string => digestOf((h) => h.floats(values));

  test('each bit of each float counts, and none of a NaN', () => {
    const seen = new Set([bulk(floats)]);
    const changed = floats.slice();
    const words = new Uint32Array(changed.buffer);
    for (let word = 0; word < words.length; word++) {
      for (let bit = 0; bit < 32; bit++) {
        words[word]! ^= 1 << bit;
        if (!Number.isNaN(changed[word >> 1])) seen.add(bulk(changed));
        words[word]! ^= 1 << bit;
      }
    }
    expect(seen.size).toBeGreaterThan(1 + 8 * 64);
    for (let at = 0; at < floats.length; at++) {
      const [one, other] = [floats.slice(), floats.slice()];
      one[at] = Number.NaN;
      new BigUint64Array(other.buffer)[at] = 0xfff8000000000123n;
      expect(bulk(one)).toBe(bulk(other));
      seen.add(bulk(one));
    }
    expect(seen.size).toBeGreaterThan(1 + 8 * 64 + 10);
  });

  test('two signs that change, two floats that change places, and a zero more are seen', () => {
    const all = [[], [0], [0, 0], [-0, 0], [0, -0], [-0, -0], [1, 2, 3, 4, 5], [5, 2, 3, 4, 1], [-1, 2, 3, 4, -5]];
    expect(new Set(all.map((list) => bulk(Float64Array.from(list)))).size).toBe(all.length);
  });

  test('bits in two halves of floats, and each two that change places', () => {
    const base = floats.slice(0, 9);
    const seen = new Set([bulk(base)]);
    const words = new Uint32Array(base.buffer);
    let tried = 1;
    for (let one = 0; one < words.length; one++) {
      for (let other = one + 1; other < words.length; other++) {
        for (const bits of [1, 1 << 12, (1 << 31) | (1 << 16), 1 << 31].map((bit) => bit >>> 0)) {
          for (const otherBits of [1, 1 << 16, 1 << 31].map((bit) => bit >>> 0)) {
            words[one]! ^= bits;
            words[other]! ^= otherBits;
            if (!base.some(Number.isNaN)) {
              seen.add(bulk(base));
              tried++;
            }
            words[one]! ^= bits;
            words[other]! ^= otherBits;
          }
        }
      }
    }
    expect(seen.size).toBe(tried);
    const numbers = Float64Array.from({ length: 23 }, (_, i) => 1.5 * i + 0.1);
    const swapped = new Set([bulk(numbers)]);
    for (let one = 0; one < 23; one++) {
      for (let other = one + 1; other < 23; other++) {
        [numbers[one], numbers[other]] = [numbers[other]!, numbers[one]!];
        swapped.add(bulk(numbers));
        [numbers[one], numbers[other]] = [numbers[other]!, numbers[one]!];
      }
    }
    expect(swapped.size).toBe(1 + (23 * 22) / 2);
  });

  test('bytes count the same wherever they lie', () => {
    for (let length = 0; length < 40; length++) {
      const bytes = Uint8Array.from({ length }, (_, i) => i * 37);
      const moved = new Uint8Array(length + 1).subarray(1);
      moved.set(bytes);
      expect(digestOf((h) => h.ints(moved))).toBe(digestOf((h) => h.ints(bytes)));
      if (length > 0) bytes[length - 1]! ^= 128;
      expect(digestOf((h) => h.ints(moved)) === digestOf((h) => h.ints(bytes))).toBe(length === 0);
    }
  });
});
