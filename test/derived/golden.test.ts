import { expect, test } from 'vitest';
import { goldenHashes } from '../../bench/golden.ts';
import { expectDerived, root } from './derived.ts';

test('samples and scenes come to their golden hashes, also when they are played again', () => {
  const hashes = goldenHashes(`${root}scenarios/games`);
  expectDerived('test/determinism/golden.json', `${JSON.stringify(hashes, null, 2)}\n`);
  expect(goldenHashes(`${root}scenarios/games`)).toEqual(hashes);
});
