import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { dialects } from '../../engine/definition/dialect.ts';
import { defectsOf, entriesOf, hasTest, rulesOf, testsOf } from './semantics.ts';

/** The pages of semantics: one row for each rule, with its tests. */
const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string): string => readFileSync(`${root}${path}`, 'utf8');
const pagesIn = (folder: string): [string, string][] =>
  readdirSync(`${root}${folder}`)
    .filter((name) => name.endsWith('.md'))
    .map((name) => [`${folder}/${name}`, read(`${folder}/${name}`)]);

const index = read('docs/semantics.md');
const pages = pagesIn('docs/semantics');
const rules = pages.flatMap(([page, text]) => rulesOf(page, text));
const entries = Object.keys(dialects.standard).filter((entry) => entry !== 'name');

describe('every rule', () => {
  test('has five cells and none of them is empty', () => {
    expect(rules.length).toBeGreaterThan(150);
    const faults = rules.filter(({ cells }) => cells.length !== 5 || cells.includes(''));
    expect(faults).toEqual([]);
  });

  test('names a test that there is', () => {
    const sources = new Map<string, string>();
    const faults = rules.flatMap((rule) => {
      const named = testsOf(rule);
      if (named.length === 0) return [`${rule.page}:${rule.line} names no test`];
      return named.flatMap(({ file, title }) => {
        if (!sources.has(file)) sources.set(file, existsSync(`${root}${file}`) ? read(file) : '');
        return hasTest(sources.get(file)!, title) ? [] : [`${rule.page}:${rule.line} names ${file}: ${title}`];
      });
    });
    expect(faults).toEqual([]);
  });

  test('that the dialects decide says what both do', () => {
    const faults = rules.filter((rule) => entriesOf(rule, entries).length > 0 && rule.cells[1] === rule.cells[2]);
    expect(faults).toEqual([]);
  });
});

test('every entry of the dialect record has a rule', () => {
  const told = new Set(rules.flatMap((rule) => entriesOf(rule, entries)));
  expect(entries.filter((entry) => !told.has(entry))).toEqual([]);
});

test('every defect of the reference is the reason of a rule', () => {
  const reasons = rules.map(({ cells }) => cells[3]).join('\n');
  const unmatched = pagesIn('docs/reference')
    .filter(([page]) => !page.endsWith('README.md'))
    .flatMap(([page, text]) => defectsOf(text).map((anchor) => `${page.slice('docs/reference/'.length)}#${anchor}`))
    .filter((defect) => !reasons.includes(`(../reference/${defect})`));
  expect(unmatched).toEqual([]);
});

test('the table of contents has every page and nothing else', () => {
  const listed = [...index.matchAll(/\]\((semantics\/[\w-]+\.md)\)/g)].map(([, path]) => `docs/${path}`);
  expect([...new Set(listed)].sort()).toEqual(pages.map(([page]) => page).sort());
});

describe('the check', () => {
  const rows = rulesOf(
    'a.md',
    '| rule | `standard` | `moddio` | why | test |\n|---|---|---|---|---|\n| `x`: a | b | c | d | `test/a.test.ts`: “it is” |',
  );

  test('reads a row', () => {
    expect(rows).toEqual([{ page: 'a.md', line: 3, cells: ['`x`: a', 'b', 'c', 'd', '`test/a.test.ts`: “it is”'] }]);
    expect(testsOf(rows[0]!)).toEqual([{ file: 'test/a.test.ts', title: 'it is' }]);
    expect(entriesOf(rows[0]!, ['x', 'y'])).toEqual(['x']);
  });

  test.each([
    ["test('it is', () => {})", true],
    ["  'it is': [],", true],
    ["test('it is not', () => {})", false],
  ])('finds its test in %s: %s', (source, found) => {
    expect(hasTest(source, 'it is')).toBe(found);
  });

  test('finds defects by their heading', () => {
    expect(defectsOf('# Page\n## One\nA **Defect.**\n## Two thirds\nfine\n## Three\n**Defects.**')).toEqual([
      'one',
      'three',
    ]);
  });
});
