import { describe, expect, test } from 'vitest';
import { hashText, StateHasher } from '../../engine/core/hash.ts';

function digestOf(feed: (hasher: StateHasher) => void): string {
  const hasher = new StateHasher();
  feed(hasher);
  return hasher.digest();
}

/** How many of the 64 bits two digests differ in. */
function bitsApart(a: string, b: string): number {
  let difference = BigInt(`0x${a}`) ^ BigInt(`0x${b}`);
  let count = 0;
  for (; difference > 0n; difference >>= 1n) count += Number(difference & 1n);
  return count;
}

test('digests never change', () => {
  // Digests are recorded in journals and goldens: changing one invalidates them all.
  const golden: [string, string][] = [
    ['nothing', digestOf(() => {})],
    ['integer', digestOf((h) => h.int(42))],
    ['negative integer', digestOf((h) => h.int(-1))],
    ['float', digestOf((h) => h.float(0.1))],
    ['not a number', digestOf((h) => h.float(Number.NaN))],
    ['text', hashText('zombie')],
    ['odd text', hashText('zombi')],
    ['bytes', digestOf((h) => h.bytes(Uint8Array.of(1, 2, 3, 4, 5)))],
  ];
  expect(Object.fromEntries(golden)).toEqual({
    nothing: '08b673610784498f',
    integer: '636be090dc81a318',
    'negative integer': 'f11c0fefa8afea99',
    float: '1c4983719f6514d9',
    'not a number': '151d97ce37acfc23',
    text: '9a8244d932307c37',
    'odd text': 'c576994459df0cbd',
    bytes: '4f3ca4c5676dacb1',
  });
});

describe('distinguishes', () => {
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
    ['no bytes', (h) => h.bytes(Uint8Array.of())],
    ['a byte 0', (h) => h.bytes(Uint8Array.of(0))],
    ['four bytes 0', (h) => h.bytes(new Uint8Array(4))],
    ['five bytes 0', (h) => h.bytes(new Uint8Array(5))],
    ['a byte and a byte', (h) => [h.bytes(Uint8Array.of(1)), h.bytes(Uint8Array.of(2))]],
    ['two bytes', (h) => h.bytes(Uint8Array.of(1, 2))],
  ];

  test('all values in this list', () => {
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

describe('treats as equal', () => {
  test('every NaN', () => {
    const odd = new Float64Array(new BigUint64Array([0xfff8000000000123n]).buffer)[0]!;
    expect(digestOf((h) => h.float(odd))).toBe(digestOf((h) => h.float(Number.NaN)));
  });

  test('-0 and 0 as integers', () => {
    expect(digestOf((h) => h.int(-0))).toBe(digestOf((h) => h.int(0)));
  });
});

test('reading the digest has no side effect, and reset clears everything', () => {
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
  ['an object', {}],
  ['a big integer', 1n],
  ['a symbol', Symbol('x')],
])('%s cannot be hashed as a primitive', (_about, value) => {
  expect(() => new StateHasher().value(value)).toThrow('only primitive values');
});

test.each([0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31])('%d cannot be hashed as an integer', (n) => {
  expect(() => new StateHasher().int(n)).toThrow('32 bits');
});

test('changing one bit of input changes about half of the digest', () => {
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

describe('bytes', () => {
  const digest = (bytes: Uint8Array): string => digestOf((h) => h.bytes(bytes));

  test('every bit of every byte counts, and so does the order of bytes', () => {
    const bytes = Uint8Array.from({ length: 23 }, (_, i) => i * 37);
    const seen = new Set([digest(bytes)]);
    for (let at = 0; at < bytes.length; at++) {
      for (let bit = 0; bit < 8; bit++) {
        bytes[at]! ^= 1 << bit;
        seen.add(digest(bytes));
        bytes[at]! ^= 1 << bit;
      }
      for (let other = at + 1; other < bytes.length; other++) {
        const swapped = bytes.slice();
        [swapped[at], swapped[other]] = [bytes[other]!, bytes[at]!];
        seen.add(digest(swapped));
      }
    }
    expect(seen.size).toBe(1 + 23 * 8 + (23 * 22) / 2);
  });

  test('hash the same at any offset in memory', () => {
    for (let length = 0; length < 40; length++) {
      const bytes = Uint8Array.from({ length }, (_, i) => i * 37);
      const moved = new Uint8Array(length + 1).subarray(1);
      moved.set(bytes);
      expect(digest(moved)).toBe(digest(bytes));
    }
  });
});
