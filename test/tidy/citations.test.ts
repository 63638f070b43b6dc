import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { ambiguousAnchors, anchorsOf, citationFaults } from './citations.ts';
import { readSources } from './source.ts';

/** Files that the documents name must exist: the test that covers a difference, the file with the details. */
const root = fileURLToPath(new URL('../../', import.meta.url));
const documents = [
  'README.md',
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'scenarios/games/README.md',
  'test/conformance/README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
  ...['reference', 'semantics'].flatMap((folder) =>
    readdirSync(join(root, 'docs', folder)).map((name) => `docs/${folder}/${name}`),
  ),
];

/**
 * Files of the project as documents write them: `test/rules/x.test.ts`, `engine/…`, also in links relative to the
 * document.
 */
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

describe('comments and documents cite what is in the project', () => {
  const read = readSources(
    ['engine', 'src', 'test', 'bench', 'tools', 'docs', 'scenarios'],
    (path) => /\.(?:ts|mjs|md)$/.test(path) && path !== 'test/tidy/citations.test.ts',
  );
  for (const path of ['README.md', 'ARCHITECTURE.md', 'CHANGELOG.md'])
    read.set(path, readFileSync(join(root, path), 'utf8'));

  test('all of them', () => {
    expect(citationFaults(read, (path) => existsSync(join(root, path)))).toEqual([]);
  });

  test('no two headings of a page have one anchor', () => {
    expect(ambiguousAnchors(read)).toEqual([]);
    expect(ambiguousAnchors(new Map([['docs/reference/units.md', '# Units\n## Keys\n### Keys']]))).toEqual([
      'docs/reference/units.md#keys',
    ]);
  });

  test('an anchor is what GitHub makes of a heading', () => {
    expect(anchorsOf('# Items, and `use`\n\n## Type changes\n```sh\n# no heading\n```\n<a id="old"></a>')).toEqual([
      'items-and-use',
      'type-changes',
      'old',
    ]);
  });
});

describe('a citation is refused', () => {
  const pages = [['docs/reference/units.md', '# Units\n\n## Ownership\n'] as const];
  const faults = (path: string, text: string) =>
    citationFaults(new Map([...pages, [path, text]]), (file) =>
      [pages[0]![0], 'docs/ops.md', 'test/conformance/traces/e_here.json'].includes(file),
    );

  test.each([
    ['of a page that is not there', '// (reference: unit#ownership)'],
    ['of a second heading that is not there', '// (reference: units#ownership, units#owners)'],
    ['of a page as a whole', '/** Reference: units. */'],
    ['of a document outside the project', '// as client-protocol.md says'],
    ['of a list outside the project', '/** (actions.json, castAbility) */'],
    ['of a recorded case that is not there', '// (recorded cases `e_here`, `e_gone`)'],
    ['in the second line of a comment', '/**\n * Units (reference:\n * units#owners).\n */'],
  ])('%s', (_, comment) => {
    expect(faults('engine/a.ts', `${comment}\nconst a = 1;\n`)[0]).toMatch(/^engine\/a\.ts:\d+ /);
  });

  test('in a document, with a link to a heading that is not there', () => {
    expect(faults('docs/a.md', '[owners](reference/units.md#owners)')).not.toEqual([]);
  });

  test.each([
    ['engine/a.ts', '// (reference: units#ownership), see docs/ops.md (recorded case e_here)'],
    ['docs/a.md', 'The reference: it has [owners](reference/units.md#ownership) (reference: NaN).'],
  ])('and passes in %s: %s', (path, text) => {
    expect(faults(path, text)).toEqual([]);
  });
});
