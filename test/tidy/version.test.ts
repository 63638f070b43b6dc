import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { engineVersion } from '../../engine/core/version.ts';

test('the engine says the version of its package', () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  expect(engineVersion).toBe(version);
});
