import { describe, expect, test } from 'vitest';
import { Lines, lineAndColumn } from '../../engine/core/lines.ts';

describe('lines', () => {
  // Offsets:    0123 4 567 8 9 10 ...
  const text = 'ab\r\ncd\n\n\re😀f';
  test.each([
    [0, 1, 1],
    [2, 1, 3],
    [3, 1, 4],
    [4, 2, 1],
    [6, 2, 3],
    [7, 3, 1],
    [8, 4, 1],
    [9, 5, 1],
    [10, 5, 2],
    [12, 5, 4],
    [13, 5, 5],
  ])('offset %i is line %i, column %i', (offset, line, column) => {
    expect(new Lines(text).at(offset)).toEqual({ line, column });
    expect(lineAndColumn(text, offset)).toEqual({ line, column });
  });

  test('a line is given without its end', () => {
    const lines = new Lines(text);
    expect([1, 2, 3, 4, 5].map((line) => text.slice(lines.range(line).start, lines.range(line).end))).toEqual([
      'ab',
      'cd',
      '',
      '',
      'e😀f',
    ]);
  });
});
