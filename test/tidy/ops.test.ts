import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { catalogue } from '../../engine/index.ts';
import { opsMarkdown } from '../../src/cli/ops-doc.ts';
import { root } from './source.ts';

const page = `${root}docs/ops.md`;

test('docs/ops.md is what the tables of operations say', () => {
  const text = opsMarkdown(catalogue());
  if (process.env['UPDATE']) writeFileSync(page, text);
  const found = existsSync(page) ? readFileSync(page, 'utf8') : '';
  expect(found === text, 'Rewrite it with: UPDATE=1 npx vitest run test/tidy').toBe(true);
});
