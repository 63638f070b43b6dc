import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

/** What the documents name is there: the test that pins a departure, the file that says more. */
const root = fileURLToPath(new URL('../../', import.meta.url));
const documents = [
  'README.md',
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'scenarios/games/README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

/** Files of the project as documents write them: `test/game/x.test.ts`, `engine/…`, also in links relative to the document. */
function cited(document: string): string[] {
  const text = readFileSync(join(root, document), 'utf8');
  const named = [...text.matchAll(/`((?:test|engine|src|bench|tools|docs)\/[\w./-]+\.(?:ts|mjs|md|json))`/g)];
  const linked = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)];
  return [...named.map(([, path]) => path!), ...linked.map(([, path]) => join(dirname(document), path!))];
}

describe.each(documents)('%s', (document) => {
  test('names no file that is not there', () => {
    const missing = cited(document).filter((path) => !existsSync(join(root, path)));
    expect([...new Set(missing)]).toEqual([]);
  });
});

/** A bullet with the lines that belong to it. */
function bullets(text: string): string[] {
  return text.split(/\n(?=- )|\n\n|\n(?=#)/).filter((part) => part.startsWith('- **'));
}

test('every departure says which test pins it, or that none does', () => {
  const departures = bullets(readFileSync(join(root, 'docs/semantics.md'), 'utf8'));
  expect(departures.length).toBeGreaterThan(50);
  expect(departures.filter((departure) => !/Tests?: /.test(departure))).toEqual([]);
});
