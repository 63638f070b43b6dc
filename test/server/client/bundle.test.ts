import { rolldown } from 'rolldown';
import { expect, test } from 'vitest';
import { root } from '../../tidy/source.ts';

test('the bundle of the client runs in a browser: it contains no Node, simulation or server code', async () => {
  const missing: string[] = [];
  const bundle = await rolldown({
    input: `${root}src/server/client/index.ts`,
    platform: 'browser',
    onLog: (_, { message }) => missing.push(message),
  });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  await bundle.close();
  const [chunk] = output;
  const modules = Object.keys(chunk.modules).map((path) => path.replace(root, ''));
  const foreign = modules.filter(
    (path) =>
      !/^(?:(?:src\/server\/(?:client|protocol|machine)|engine\/core|node_modules\/mitt)\/|src\/run\/shown-texts\.ts$)/.test(
        path,
      ),
  );
  expect([foreign, missing, chunk.imports, output.length]).toEqual([[], [], [], 1]);
  expect(chunk.code).not.toMatch(/\b(?:process\.|Buffer\b|require\()/);
});
