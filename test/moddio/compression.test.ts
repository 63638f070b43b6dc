import fc from 'fast-check';
import lz from 'lz-string';
import { describe, expect, test } from 'vitest';
import { compress } from '../../src/moddio/compression.ts';
import { runs } from '../support/property.ts';

const decoder = new TextDecoder('utf-8', { fatal: true });

describe('compress', () => {
  test.each([
    [''],
    ['a'],
    ['aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'],
    ['["\\u0002",[["u1&3ae&34c&426"],["T",41834]]]'],
    ['ä€😀\uffff\u0000'],
    ['\ud800 alone'],
    ['x'.repeat(70_000)],
  ])('%#: the bytes are those of the library that clients have', (text) => {
    expect(decoder.decode(compress(text))).toBe(lz.compressToUTF16(text));
  });

  test('any text comes back, and is written as the library writes it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 3000 }), (text) => {
        const sent = decoder.decode(compress(text));
        expect(sent).toBe(lz.compressToUTF16(text));
        expect(lz.decompressFromUTF16(sent)).toBe(text);
      }),
      runs(300),
    );
  });

  test('texts with few letters and many repeats', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'b', '"', '&', '1'), maxLength: 5000 }), (text) => {
        expect(decoder.decode(compress(text))).toBe(lz.compressToUTF16(text));
      }),
      runs(100),
    );
  });
});
