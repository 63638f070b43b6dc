import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { issueCodes } from '../../engine/base/issue-codes.ts';
import { issuesMarkdown } from '../../src/cli/issues-doc.ts';
import { readSources, root } from './source.ts';

const page = `${root}docs/issues.md`;

test('docs/issues.md is what the table of codes says', () => {
  if (process.env['UPDATE']) writeFileSync(page, issuesMarkdown());
  const found = existsSync(page) ? readFileSync(page, 'utf8') : '';
  expect(found, 'Rewrite it with: UPDATE=1 npx vitest run test/tidy').toBe(issuesMarkdown());
});

test('every code has one line there', () => {
  const lines = issuesMarkdown().split('\n');
  for (const code of Object.keys(issueCodes)) {
    expect(
      lines.filter((line) => line.startsWith(`| \`${code}\` | `)),
      code,
    ).toHaveLength(1);
  }
});

test('every code is shown by a test', () => {
  const tests = readSources(['test'], (path) => path.endsWith('.test.ts') && !path.startsWith('test/tidy/'));
  const quoted = (code: string) => [`'${code}'`, `"${code}"`, `\`${code}\``];
  const texts = [...tests.values()];
  const silent = Object.keys(issueCodes).filter(
    (code) => !quoted(code).some((word) => texts.some((text) => text.includes(word))),
  );
  expect(silent, 'Write a test that makes the issue appear, with its code in quotes.').toEqual([]);
});
