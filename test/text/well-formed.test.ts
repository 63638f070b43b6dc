import { expect, test } from 'vitest';
import { wellFormed } from '../../src/text/well-formed.ts';

const half = '\ud83d';

test.each([
  [`a${half}`, 'a\ufffd'],
  [
    [1, [`${half}b`]],
    [1, ['\ufffdb']],
  ],
  [
    { data: { [`k${half}`]: [half, true] }, bytes: null },
    { data: { 'k\ufffd': ['\ufffd', true] }, bytes: null },
  ],
])('lone surrogates become the replacement character: %#', (given, expected) => {
  expect(wellFormed(given)).toEqual(expected);
});

test('a value without lone surrogates is returned unchanged', () => {
  for (const value of ['a😀', 7, null, [1, '😀'], { kind: 'data', data: { a: ['😀'] } }, new Uint8Array([216])])
    expect(wellFormed(value)).toBe(value);
});
