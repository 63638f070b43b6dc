import { isBuiltin } from 'node:module';
import { rolldown } from 'rolldown';
import { expect, test } from 'vitest';
import { root } from '../../tidy/source.ts';

/** Bundles what a page imports of the door, and returns its modules, what is missing, and its code. */
async function bundled(imported: string) {
  const missing: string[] = [];
  const bundle = await rolldown({
    input: 'page',
    plugins: [
      {
        name: 'page',
        resolveId: (id) => (id === 'page' ? id : null),
        load: (id) =>
          id === 'page' ? `import { ${imported} } from '${root}src/net/index.ts'; console.log(${imported});` : null,
      },
    ],
    platform: 'browser',
    // Doors lead to modules of Node, of which nothing may be left.
    external: isBuiltin,
    onLog: (_, { message }) => missing.push(message),
  });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  await bundle.close();
  const [chunk] = output;
  expect([missing, chunk.imports, output.length]).toEqual([[], [], 1]);
  expect(chunk.code).not.toMatch(/\b(?:process\.|Buffer\b|require\()/);
  return Object.entries(chunk.modules).flatMap(([path, { code }]) => (code ? path.replace(root, '') : []));
}

test('a page that only connects gets the client: no Node, simulation or server code', async () => {
  const modules = await bundled('RoomClient');
  const own =
    /^(?:src\/net\/(?:client|protocol)|engine\/core|node_modules\/(?:mitt|fastest-levenshtein))\/|^(?:src\/machine\/clock|engine\/definition\/walking-keys)\.ts$|^page$/;
  expect(modules.filter((path) => !own.test(path))).toEqual([]);
});

test('a page that predicts gets the engine, but no server code', async () => {
  const modules = await bundled('Prediction');
  const own = /^src\/net\/(?:(?:prediction|protocol)\/|client\/(?:walking-keys|interpolation)\.ts$)/;
  expect(modules.filter((path) => path.startsWith('src/') && !own.test(path))).toEqual([]);
  expect(modules).toContain('engine/sim/simulation.ts');
});
