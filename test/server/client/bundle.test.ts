import { rolldown } from 'rolldown';
import { expect, test } from 'vitest';
import { root } from '../../tidy/source.ts';

/** Bundles an entry for browsers, and returns its modules, what is missing, and its code. */
async function bundled(entry: string) {
  const missing: string[] = [];
  const bundle = await rolldown({
    input: `${root}${entry}`,
    platform: 'browser',
    onLog: (_, { message }) => missing.push(message),
  });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  await bundle.close();
  const [chunk] = output;
  expect([missing, chunk.imports, output.length]).toEqual([[], [], 1]);
  expect(chunk.code).not.toMatch(/\b(?:process\.|Buffer\b|require\()/);
  return Object.keys(chunk.modules).map((path) => path.replace(root, ''));
}

test('the bundle of the client runs in a browser: it contains no Node, simulation or server code', async () => {
  const modules = await bundled('src/server/client/index.ts');
  const own =
    /^(?:(?:src\/server\/(?:client|protocol|machine)|engine\/core|node_modules\/(?:mitt|fastest-levenshtein))\/|src\/run\/shown-texts\.ts$)/;
  expect(modules.filter((path) => !own.test(path))).toEqual([]);
});

test('the bundle of the prediction runs in a browser: it contains the engine, but no server code', async () => {
  const modules = await bundled('src/server/prediction/index.ts');
  const own = /^src\/server\/(?:(?:prediction|protocol)\/|client\/walking-keys\.ts$)/;
  expect(modules.filter((path) => path.startsWith('src/') && !own.test(path))).toEqual([]);
  expect(modules).toContain('engine/sim/simulation.ts');
});
