import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { dialects } from '../../engine/definition/dialect.ts';
import { root } from './source.ts';

const folder = `${root}docs/semantics/`;
const pages = readdirSync(folder).map((name) => readFileSync(folder + name, 'utf8'));

test('docs/semantics has a row for every difference between the dialects, which says what both do', () => {
  const rows = pages.flatMap((page) => page.split('\n').filter((line) => line.startsWith('|')));
  const entries = Object.keys(dialects.standard).filter((entry) => entry !== 'name');
  const without = entries.filter((entry) => !rows.some((row) => row.split(' | ')[0]!.includes(`\`${entry}\``)));
  expect(without).toEqual([]);
  const alike = rows.filter((row) => {
    const [rule, standard, moddio] = row.split(' | ');
    return entries.some((entry) => rule!.includes(`\`${entry}\``)) && standard === moddio;
  });
  expect(alike).toEqual([]);
});
