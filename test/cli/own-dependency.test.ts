import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ownDependencies } from '../../src/cli/own-dependency.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'reenact-own-')));
});
afterEach(() => rmSync(root, { recursive: true }));

function written(path: string, content: unknown): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), JSON.stringify(content));
}

/** The dependency that a new game gets if Reenact runs from a folder whose project depends on it in this way. */
function dependencies(folder: string, asked: object | undefined): unknown {
  written(`${folder}/package.json`, { name: 'reenact' });
  for (const name of ['reenact', 'reenact-engine']) written(`${name}-0.1.0.tgz`, '');
  if (asked !== undefined) written('project/package.json', asked);
  return JSON.parse(
    JSON.stringify(ownDependencies({ folder: `${join(root, folder)}/`, version: '0.1.0' })).replaceAll(root, ''),
  );
}

const installed = 'project/node_modules/reenact';
const byPnpm = 'project/node_modules/.pnpm/reenact@file+..+reenact-0.1.0.tgz/node_modules/reenact';

test.each([
  ['a checkout', 'checkout', undefined, 'file:/checkout'],
  ['a tarball', installed, { dependencies: { reenact: 'file:../reenact-0.1.0.tgz' } }, 'file:/reenact-0.1.0.tgz'],
  [
    'a tarball for development',
    installed,
    { devDependencies: { reenact: '../reenact-0.1.0.tgz' } },
    'file:/reenact-0.1.0.tgz',
  ],
  ['a tarball, by pnpm', byPnpm, { dependencies: { reenact: 'file:../reenact-0.1.0.tgz' } }, 'file:/reenact-0.1.0.tgz'],
  ['a registry', installed, { dependencies: { reenact: '^0.1.0' } }, '^0.1.0'],
  ['a repository', installed, { dependencies: { reenact: 'github:someone/reenact' } }, 'github:someone/reenact'],
  [
    'a global install, of which no package.json knows',
    'lib/node_modules/reenact',
    undefined,
    'file:/lib/node_modules/reenact',
  ],
])('a new game depends on Reenact from where it was installed: %s', (_name, folder, asked, expected) => {
  expect(dependencies(folder, asked)).toEqual({ reenact: expected });
});

test('a new worker depends on the server if that is installed', () => {
  const server = '@reenact/server';
  const asked = { dependencies: { reenact: '^0.1.0', [server]: '^0.1.0' } };
  written('project/package.json', asked);
  const inProject = { folder: join(root, installed), version: '0.1.0' };
  expect(ownDependencies(inProject, server)).toEqual(asked.dependencies);
  expect(ownDependencies(inProject)).toEqual({ reenact: '^0.1.0' });
  for (const name of ['reenact', server]) written(`lib/node_modules/${name}/package.json`, { name });
  expect(ownDependencies({ folder: join(root, 'lib/node_modules/reenact'), version: '0.1.0' }, server)).toEqual({
    reenact: `file:${root}/lib/node_modules/reenact`,
    [server]: `file:${root}/lib/node_modules/@reenact/server`,
  });
});

test('a new game depends on the engine installed beside a tarball', () => {
  const asked = { reenact: 'file:../reenact-0.1.0.tgz', '@reenact/engine': 'file:../reenact-engine-0.1.0.tgz' };
  const engine = { '@reenact/engine': 'file:/reenact-engine-0.1.0.tgz' };
  expect(dependencies(installed, { dependencies: asked })).toEqual({ reenact: 'file:/reenact-0.1.0.tgz', ...engine });
});
