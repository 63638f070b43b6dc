import { describe, expect, test } from 'vitest';
import { countsOf, totalOf } from '../../src/statistics/counts.ts';
import { countParts, Page } from '../../src/text/page.ts';
import { StatusLine, timeLeft } from '../../src/text/status-line.ts';

describe('counts', () => {
  test('are sorted by size, then by name', () => {
    expect(
      Object.keys(
        countsOf([
          ['b', 1],
          ['é', 1],
          ['a', 1],
          ['c', 2],
        ]),
      ),
    ).toEqual(['c', 'a', 'b', 'é']);
  });

  test('omit zeros unless requested', () => {
    const entries = [
      ['ran', 2],
      ['never', 0],
    ] as const;
    expect(countsOf(entries)).toEqual({ ran: 2 });
    expect(countsOf(entries, 0)).toEqual({ ran: 2, never: 0 });
  });

  test('are not affected by names of games', () => {
    const counts = countsOf([
      ['constructor', 1],
      ['__proto__', 2],
    ]);
    expect(Object.entries(counts)).toEqual([
      ['__proto__', 2],
      ['constructor', 1],
    ]);
    expect(totalOf(counts)).toBe(3);
  });

  test('say how many are omitted', () => {
    const counts = { a: 3, b: 2, c: 1 };
    expect(countParts(counts, 2)).toEqual(['a 3', 'b 2', '… 1 more']);
    expect(countParts(counts, 3)).toEqual(['a 3', 'b 2', 'c 1']);
    expect(countParts({}, 3)).toEqual(['none']);
  });

  test('escape control characters in names', () => {
    expect(countParts({ 'a\x1b[2J': 1 }, 1)).toEqual(['a\\u001b[2J 1']);
  });
});

describe('a page', () => {
  test('breaks lines between parts and puts a label before the first', () => {
    const page = new Page(30);
    page.section('units', ['5:', 'zombie 3', 'human 1', 'tree 1']);
    expect(page.text().split('\n')).toEqual(['units        5: zombie 3,', '             human 1, tree 1', '']);
  });

  test('a part that is wider than the page stands alone', () => {
    const page = new Page(20);
    page.section('x', ['a', 'b'.repeat(20), 'c']);
    expect(page.text().split('\n')).toEqual([
      'x            a,',
      `             ${'b'.repeat(20)},`,
      '             c',
      '',
    ]);
  });
});

describe('progress', () => {
  test('is shown in terminals only, and removed', () => {
    const text = (isTTY: boolean): string => {
      let written = '';
      const status = new StatusLine({ isTTY, columns: 50, write: (part) => (written += part) });
      status.showProgress('1.0 of 2 s '.repeat(6), 0.5);
      status.clear();
      return written;
    };
    expect(text(false)).toBe('');
    expect(text(true)).toBe(`\r${'1.0 of 2 s '.repeat(4)}1.0 o\x1b[K\r\x1b[K`);
  });

  test.each([
    [0.5, 1500, '2 s'],
    [1 / 120, 60_000, '1 h 59 min'],
    [0.1, 10_000, '1 min 30 s'],
    [0, 1000, undefined],
  ])('at %d after %d ms, says how long the rest takes', (share, elapsedMs, left) => {
    expect(timeLeft(share, elapsedMs)).toBe(left);
  });
});
