import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { goldenHashes } from '../../bench/golden.ts';
import { lazily } from '../support/lazily.ts';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const games = at('../../scenarios/games');
const goldenFile = at('golden.json');

const hashes = lazily(() => goldenHashes(games));
test('samples and scenes come to their golden hashes', () => {
  if (process.env['UPDATE'] === '1') writeFileSync(goldenFile, `${JSON.stringify(hashes(), null, 2)}\n`);
  // Rules that change on purpose change these: UPDATE=1 npx vitest run test/determinism
  expect(hashes()).toEqual(JSON.parse(readFileSync(goldenFile, 'utf8')));
});

test('the same hashes again in the same process, warm', () => {
  expect(goldenHashes(games)).toEqual(hashes());
});
