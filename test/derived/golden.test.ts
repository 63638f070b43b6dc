import { expect, test } from 'vitest';
import { goldenHashes } from '../../bench/golden.ts';
import { expectDerived, root } from './derived.ts';

test('samples and scenes come to their golden hashes, also when one is played again', () => {
  const hashes = goldenHashes(`${root}scenarios/games`);
  expectDerived('test/determinism/golden.json', `${JSON.stringify(hashes, null, 2)}\n`);
  expect(hashes).toMatchObject(goldenHashes(`${root}scenarios/games`, 'infection.json'));
});
