import fc from 'fast-check';
import lz from 'lz-string';
import { describe, expect, test } from 'vitest';
import { compress } from '../../../src/server/moddio/compression.ts';
import { runs } from '../../support/property.ts';

const decoder = new TextDecoder('utf-8', { fatal: true });

/** The text as clients expand it; null for incomplete frames. */
function expanded(text: string): string | null {
  return lz.decompressFromUTF16(decoder.decode(compress(text)));
}

function libraryBytes(text: string): number {
  return new TextEncoder().encode(lz.compressToUTF16(text)).length;
}

describe('compress', () => {
  test.each([
    [''],
    ['a'],
    ['aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'],
    ['["\\u0002",[["u1&3ae&34c&426"],["T",41834]]]'],
    ['ä€😀\uffff\u0000'],
    ['\ud800 alone'],
    ['x'.repeat(70_000)],
  ])('%#: the library that clients have expands it', (text) => {
    expect(expanded(text)).toBe(text);
    expect(compress(text).length).toBeLessThanOrEqual(libraryBytes(text));
  });

  test('any text round-trips, and takes no more bytes than with the library', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 3000 }), (text) => {
        expect(expanded(text)).toBe(text);
        expect(compress(text).length).toBeLessThanOrEqual(libraryBytes(text));
      }),
      runs(80),
    );
  });

  test('short texts with few letters and many repeats, which are encoded in many ways', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'b', '"', '&', '1', '€'), maxLength: 170 }), (text) => {
        expect(expanded(text)).toBe(text);
      }),
      runs(300),
    );
  });

  test('long texts with few letters and many repeats', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'b', '"', '&', '1'), maxLength: 5000 }), (text) => {
        expect(expanded(text)).toBe(text);
        expect(compress(text).length).toBeLessThanOrEqual(libraryBytes(text));
      }),
      runs(100),
    );
  });

  test('a frame with one position is shorter than with the library', () => {
    const frame = '["&",[",,1&20e&283&103f",["[",46150]]]';
    expect(expanded(frame)).toBe(frame);
    expect(compress(frame).length).toBeLessThan(libraryBytes(frame) - 2);
  });
});
