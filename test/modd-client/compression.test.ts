import fc from 'fast-check';
import lz from 'lz-string';
import { describe, expect, test } from 'vitest';
import { compress } from '../../src/modd-client/compression.ts';
import { runs } from '../support/property.ts';

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

  test.each([
    ['any text', fc.string({ unit: 'binary', maxLength: 3000 }), 80],
    [
      'few letters and many repeats',
      fc.string({ unit: fc.constantFrom('a', 'b', '"', '&', '1'), maxLength: 5000 }),
      100,
    ],
  ])('%s round-trips, and takes no more bytes than with the library', (_what, texts, count) => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(expanded(text)).toBe(text);
        expect(compress(text).length).toBeLessThanOrEqual(libraryBytes(text));
      }),
      runs(count),
    );
  });
});
