import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { hasTest } from './semantics.ts';
import { root } from './source.ts';

/** The rows of the table of threats: threat, answer, tests. */
const page = readFileSync(`${root}docs/security.md`, 'utf8');
const threats = page
  .slice(page.indexOf('## Threats'), page.indexOf('## Packages'))
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .slice(2)
  .map((line) => line.split(' | '));

test('every threat has an answer and names tests that there are', () => {
  expect(threats.length).toBeGreaterThan(20);
  const faults = threats.flatMap((cells) => {
    const named = [...(cells[2] ?? '').matchAll(/`(test\/[\w./-]+\.ts)`: “([^”]+)”/g)];
    if (cells.length !== 3 || named.length === 0) return [`${cells[0]} names no test`];
    return named.flatMap(([, file, title]) => {
      const source = existsSync(root + file!) ? readFileSync(root + file!, 'utf8') : '';
      return hasTest(source, title!) ? [] : [`${cells[0]} names ${file}: ${title}`];
    });
  });
  expect(faults).toEqual([]);
});
