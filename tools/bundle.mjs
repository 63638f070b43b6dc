// Builds bundles: a command in one file starts in a third of the time of its two hundred modules.
import { readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { rolldown } from 'rolldown';
import { withoutManual } from './manual.mjs';

export const comments = { legal: true, annotation: false, jsdoc: false };

/**
 * What makes a bundler keep all of planck, although we use a tenth: its statements at load, which are without effect
 * for us.
 */
const planckAtLoad = [
  [/\/\*\* @class \*\//g, '/* @__PURE__ */'],
  [/^Contact\.addType\(/gm, '/* @__PURE__ */ $&'],
  [/^(var \w+ = )(new Serializer)/gm, '$1/* @__PURE__ */ $2'],
  [/^(var \w+ = )(\(_a = \{\},[\s\S]*?, _a\));$/gm, '$1/* @__PURE__ */ (() => $2)();'],
  [/^(?:Serializer|Solver)\.\w+ = [\w.]+;$/gm, ''],
];

/** Lets a bundler leave out what is not used of planck: joints, worlds, solvers. */
export const leanPlanck = {
  name: 'lean planck',
  transform: {
    filter: { id: /planck\.mjs$/ },
    handler: (code) =>
      planckAtLoad.reduce((text, [pattern, pure]) => {
        if (text.search(pattern) === -1) throw new Error(`planck has changed: nothing matches ${pattern}.`);
        return text.replace(pattern, pure);
      }, code),
  },
};

/**
 * Leaves out what never runs: the CSS parser of `sanitize-html`, because styles are cleaned by our own code, and
 * Fastify's requests for tests.
 */
const leftOut = {
  name: 'left out',
  resolveId: { filter: { id: /^(?:postcss|light-my-request)$/ }, handler: () => '\0left-out' },
  load: { filter: { id: /^\0left-out$/ }, handler: () => 'export {};' },
};

/** Contains the files of uPlot that pages embed. In a checkout they are read from its package. */
const plotFiles = {
  name: 'plot files',
  transform: {
    filter: { id: /report\/plot-library\.ts$/ },
    handler: () => `import script from 'uplot/dist/uPlot.iife.min.js';
import style from 'uplot/dist/uPlot.min.css';
export const plotLibrary = { script, style };`,
  },
  load: {
    filter: { id: /uplot\/dist\/uPlot/ },
    handler: (id) => ({ code: `export default ${JSON.stringify(readFileSync(id, 'utf8'))};`, moduleType: 'js' }),
  },
};

/**
 * Takes the functions that load something on demand away: a page in one file has nothing to load, and rolldown
 * would wrap each module in a function for them.
 */
const withoutLoading = {
  name: 'nothing on demand',
  transform: {
    filter: { id: /src\/[\w-]+\/on-demand\.ts$/ },
    handler: (code) => code.replace(/= \(\) => import\(.*$/gm, '= undefined;'),
  },
};

/**
 * Bundles each input into one minified script that can be embedded in a page. Returns the paths of the bundled modules.
 */
export async function bundleScripts(inputs, folder, { plugins = [withoutManual] } = {}) {
  const modules = [];
  for (const input of inputs) {
    const page = { input, plugins: [...plugins, withoutLoading], platform: 'browser' };
    modules.push(...(await write(page, { dir: folder, format: 'iife', minify: true, comments })).modules);
  }
  return modules;
}

/** Bundles a page into its entry and the scripts that this loads later, which have their hash in their names. */
export async function bundlePage(input, folder, { plugins = [withoutManual] } = {}) {
  await rm(folder, { recursive: true, force: true });
  const page = { input, plugins, platform: 'browser' };
  const chunkFileNames = '[name]-[hash].js';
  return (await write(page, { dir: folder, format: 'esm', minify: true, chunkFileNames, comments })).modules;
}

/** Bundles named ES modules for programs and bundlers. */
export async function bundleModules(input, folder, { plugins = [], external = [], platform = 'node', ...more } = {}) {
  await rm(folder, { recursive: true, force: true });
  const options = { input, plugins, external, platform, ...more };
  const { modules } = await write(options, { dir: folder, format: 'esm', comments });
  return modules;
}

/**
 * Writes each module that the entries need to a file of its own, those of other packages too, so that bundlers leave
 * out what a page does not use.
 */
export async function bundleApart(input, folder, { root = dirname(Object.values(input)[0]), plugins = [] } = {}) {
  await rm(folder, { recursive: true, force: true });
  const { modules } = await write(
    { input, plugins, platform: 'browser' },
    {
      dir: folder,
      format: 'esm',
      // npm does not pack a folder named node_modules.
      entryFileNames: ({ name }) => `${name.replace(/^.*node_modules\//, 'bundled/')}.js`,
      preserveModules: true,
      preserveModulesRoot: root,
      comments: { ...comments, annotation: true },
    },
  );
  return modules;
}

/** Bundles a program for Node as CommonJS, which starts without Node's loader of ES modules. */
export async function bundleProgram(
  input,
  folder,
  { plugins = [], external = [], resolve, isAlone = false, output } = {},
) {
  await rm(folder, { recursive: true, force: true });
  const lazy = { name: 'lazy modules of Node', renderChunk: withLazyModules };
  const { chunks, modules } = await write(
    { input, external, resolve, plugins: [...plugins, lazy], platform: 'node' },
    { dir: folder, format: 'cjs', comments, ...output },
  );
  for (const { fileName, code } of chunks) await writeFile(join(folder, fileName), ascii(code));
  // A worker thread loads its file and its imports. If these included the entry, each thread would run the program
  // again. Rolldown puts its helpers into the entry if that needs one, for example for a default import of a Node
  // module.
  const main = chunks.find((chunk) => chunk.isEntry).fileName;
  const needing = chunks.filter((chunk) => chunk.imports.includes(main));
  if (isAlone && needing.length > 0)
    throw new Error(`${needing.map(({ fileName }) => fileName).join(', ')} must not need ${main}.`);
  await writeFile(join(folder, 'package.json'), '{"type":"commonjs"}\n');
  return modules;
}

/**
 * A door leads to more than a bundle uses. What must not be bundled is therefore external everywhere, and a page in
 * which some of it remains is an error.
 */
export const isNeverBundled = (id) => isBuiltin(id) || nodeOnly.includes(id);
const nodeOnly = ['@resvg/resvg-js', 'vscode-languageserver/node'];

/** Throws if chunks for a page still import what no page has. */
export function checkForPage(chunks) {
  for (const { fileName, imports, dynamicImports } of chunks)
    for (const id of [...imports, ...dynamicImports])
      if (isNeverBundled(id)) throw new Error(`${fileName} is for pages and imports ${id}.`);
}

async function write({ external = [], plugins = [], ...input }, output) {
  const bundle = await rolldown({
    ...input,
    external: (id) => external.includes(id) || isNeverBundled(id),
    plugins: [leanPlanck, leftOut, plotFiles, ...plugins],
    logLevel: 'warn',
    checks: { bundlerTimings: false },
  });
  const written = await bundle.write(output);
  await bundle.close();
  const chunks = written.output.filter(({ type }) => type === 'chunk');
  if (input.platform === 'browser') checkForPage(chunks);
  return { chunks, modules: chunks.flatMap(({ moduleIds }) => moduleIds) };
}

/** Loads Node modules that few commands use on first use; each takes two milliseconds at startup. */
function withLazyModules(code) {
  return code.replace(
    /\b(?:let|const) (\w+) = (require\("(?:node:)?(?:child_process|net)"\));/g,
    'const $1 = new Proxy({}, { get: (_, name) => $2[name] });',
  );
}

/** Escapes non-ASCII characters, so that a file can be read as Latin-1 and takes half the memory. */
function ascii(code) {
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
