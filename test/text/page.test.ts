import { describe, expect, test } from 'vitest';
import { Progress, progressLine } from '../../src/run/progress.ts';
import { countsOf, totalOf } from '../../src/statistics/counts.ts';
import { countParts, Page } from '../../src/text/page.ts';

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
  test.each([
    [{ simulatedSeconds: 0, secondsMax: 60, wallMs: 0 }, '[                        ] 0.0 of 60 s  0.0x real time'],
    [
      { simulatedSeconds: 30, secondsMax: 60, wallMs: 1500 },
      '[============            ] 30.0 of 60 s  20.0x real time  2 s left',
    ],
    [
      { simulatedSeconds: 60, secondsMax: 7200, wallMs: 60_000 },
      '[                        ] 60.0 of 7200 s  1.0x real time  1 h 59 min left',
    ],
    [
      { simulatedSeconds: 60, secondsMax: 61.5, wallMs: 100 },
      '[======================= ] 60.0 of 61.5 s  600x real time  1 s left',
    ],
    [
      { simulatedSeconds: 59, secondsMax: 60, wallMs: 100 },
      '[========================] 59.0 of 60 s  590x real time  1 s left',
    ],
    [{ simulatedSeconds: 0, secondsMax: 0, wallMs: 1 }, '[========================] 0.0 of 0 s  0.0x real time'],
  ])('%j', (now, line) => {
    expect(progressLine(now)).toBe(line);
  });

  test('is shown in terminals only, and removed', () => {
    const text = (isTTY: boolean): string => {
      let written = '';
      const progress = new Progress({ isTTY, columns: 50, write: (part) => (written += part) });
      progress.show({ simulatedSeconds: 1, secondsMax: 2, wallMs: 1000 });
      progress.show({ simulatedSeconds: 1.1, secondsMax: 2, wallMs: 1050 });
      progress.clear();
      return written;
    };
    expect(text(false)).toBe('');
    // The second one comes too soon after the first.
    expect(text(true)).toBe('\r[============            ] 1.0 of 2 s  1.0x real \x1b[K\r\x1b[K');
  });
});
