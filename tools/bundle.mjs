// Bundles. A command that is one file starts in a third of the time that its two hundred modules take to load.
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

const comments = { legal: true, annotation: false, jsdoc: false };

/** Each input as one small script that can stand inside of a page. Returns the paths of the modules that went in. */
export async function bundleScripts(inputs, folder) {
  await rm(folder, { recursive: true, force: true });
  const modules = [];
  for (const input of inputs) {
    modules.push(
      ...(await write({ input, platform: 'browser' }, { dir: folder, format: 'iife', minify: true, comments })).modules,
    );
  }
  return modules;
}

/** ES modules, by their names, for programs and bundlers. */
export async function bundleModules(
  input,
  folder,
  { plugins = [], external = [], platform = 'node', minify = false } = {},
) {
  await rm(folder, { recursive: true, force: true });
  const { modules } = await write(
    { input, plugins, external, platform },
    { dir: folder, format: 'esm', minify, comments },
  );
  return modules;
}

/** A program for Node. The form is CommonJS, because only that can be loaded with code that was compiled before. */
export async function bundleProgram(input, folder, { plugins = [], external = [], isAlone = false } = {}) {
  await rm(folder, { recursive: true, force: true });
  const lazy = { name: 'lazy modules of Node', renderChunk: withLazyModules };
  const { chunks, modules } = await write(
    { input, external, plugins: [...plugins, lazy], platform: 'node' },
    { dir: folder, format: 'cjs', comments },
  );
  for (const { fileName, code } of chunks) await writeFile(join(folder, fileName), ascii(code));
  // A thread loads its file and what that needs; were the entry among it, each thread would run the program once more. Rolldown puts its own helpers
  // into the entry when that needs one, as it does for a default import of a module of Node.
  const main = chunks.find((chunk) => chunk.isEntry).fileName;
  const needing = chunks.filter((chunk) => chunk.imports.includes(main));
  if (isAlone && needing.length > 0)
    throw new Error(`${needing.map(({ fileName }) => fileName).join(', ')} must not need ${main}.`);
  await writeFile(join(folder, 'package.json'), '{"type":"commonjs"}\n');
  return modules;
}

async function write(input, output) {
  const bundle = await rolldown({ ...input, logLevel: 'warn' });
  const written = await bundle.write(output);
  await bundle.close();
  const chunks = written.output.filter(({ type }) => type === 'chunk');
  return { chunks, modules: chunks.flatMap(({ moduleIds }) => moduleIds) };
}

/** Modules of Node that few commands use are loaded when they are first used. Each takes a start two milliseconds. */
function withLazyModules(code) {
  return code.replace(
    /\b(?:let|const) (\w+) = (require\("(?:node:)?(?:child_process|net)"\));/g,
    'const $1 = new Proxy({}, { get: (_, name) => $2[name] });',
  );
}

/** Escapes what is not ASCII, so that a file can be read byte by byte, and takes half the memory. */
function ascii(code) {
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
