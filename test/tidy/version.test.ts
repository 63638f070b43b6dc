import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { engineVersion } from '../../engine/core/version.ts';

test('the four packages have the version that the engine says, and ask for it of each other', () => {
  const manifests = ['', 'engine/', 'src/net/', 'src/server/'].map((folder) =>
    JSON.parse(readFileSync(new URL(`../../${folder}package.json`, import.meta.url), 'utf8')),
  );
  expect(manifests.map(({ version }) => version)).toEqual(Array(4).fill(engineVersion));
  const asked = manifests.flatMap(({ dependencies, peerDependencies }) =>
    Object.entries<string>({ ...dependencies, ...peerDependencies }).filter(([name]) => name.startsWith('@reenact/')),
  );
  expect(asked).toEqual([
    ['@reenact/engine', engineVersion],
    ['@reenact/server', engineVersion],
    ['@reenact/engine', engineVersion],
    ['@reenact/engine', engineVersion],
  ]);
});
