import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const module = fileURLToPath(new URL('../../tools/page-files.mjs', import.meta.url));

/** Compares the playground's path functions with those of Node, both with `/` as the current folder. */
test.each([
  ['dirname', 'a/b.yaml'],
  ['dirname', 'b.yaml'],
  ['dirname', '/b'],
  ['basename', 'a/b.json'],
  ['join', 'a', '../b', './c'],
  ['join', 'a', '..'],
  ['resolve', '/', 'games/a.json'],
  ['resolve', '/a', '../b', '/c/./d'],
  ['relative', '/', '/games/a.json'],
  ['relative', '/a/b', '/a/c/d'],
  ['relative', '/a', '/a'],
] as const)('%s of %j %j', async (name, ...paths) => {
  const functions = await import(module);
  const expected = posix[name] as (...paths: readonly string[]) => string;
  expect(functions[name](...paths)).toBe(expected(...paths));
});
