import { readFileSync } from 'node:fs';
import { createRequire, Module } from 'node:module';
import { basename, dirname, join, sep } from 'node:path';
import { Script } from 'node:vm';
import { cacheFolder } from './cache-folder.ts';
import { halfOf, makeRoom, readKept, writeKept } from './kept-file.ts';

/** More than the files of all commands of one build, so that those of old builds go at last. */
const filesMax = 300;

/** The parts of Node's own loader of CommonJS files that its types leave out. */
interface CommonJsModule {
  exports: unknown;
  _compile(content: string, filename: string): unknown;
}
type Load = (module: CommonJsModule, filename: string) => unknown;

/**
 * Keeps the code that V8 compiles of the program in `folder` for the next start. It is a fifth of the time to the first tick of a large
 * game. Kept are its CommonJS files, in the user's own cache folder, functions that ran included. Node's own cache, from 22.1 on, is
 * slower: by a tenth of the processor time of a short run. `NODE_DISABLE_COMPILE_CACHE=1` turns it off. Where the cache cannot be read or
 * written the program runs without.
 */
export function keepCompiledCode(folder: string, command: string): void {
  if (process.env['NODE_DISABLE_COMPILE_CACHE'] === '1') return;
  const cache = cacheFolder();
  if (cache === undefined) return;
  kept = { folder, cache: folderOf(cache, command) };
  const made = loadThrough(kept);
  process.once('exit', () => write(made, kept!.cache));
}

/** Where the compiled code of this process is. */
export interface CompiledCode {
  /** Of the program. */
  readonly folder: string;
  readonly cache: string;
}

let kept: CompiledCode | undefined;

/** For threads of this process; undefined where nothing is kept. */
export function compiledCode(): CompiledCode | undefined {
  return kept;
}

/** In a thread: files that are loaded after this have the code that the process keeps. A thread writes none, because it is ended without notice. */
export function useCompiledCode(code: CompiledCode): void {
  loadThrough(code);
}

/** Of one command: each runs other functions of the same files. */
function folderOf(cache: string, command: string): string {
  const word = /^[a-z]+$/.test(command) ? command : 'none';
  return join(cache, `${process.version}-${process.arch}`, word);
}

interface Made {
  readonly script: Script;
  readonly file: string;
}

/**
 * Gives what had to be compiled, to which each file that is loaded later is added. File names in a bundle hold a hash of the content; V8 refuses what
 * another version of it made, or from a text of another length.
 */
function loadThrough({ folder, cache }: CompiledCode): readonly Made[] {
  const made: Made[] = [];
  const loaders = (Module as unknown as { readonly _extensions: { '.js': Load } })._extensions;
  const load = loaders['.js'];
  loaders['.js'] = (module, filename) => {
    if (!filename.startsWith(folder + sep)) return load(module, filename);
    // The bundle is ASCII. To read it as UTF-8 takes three times as long.
    const content = readFileSync(filename, 'latin1');
    // Files that import a package at run time are left to Node: a script may do so only by an experiment, which warns.
    if (content.includes('import(')) return module._compile(content, filename);
    const file = join(cache, `${basename(filename)}-${content.length}`);
    // Twice, because V8 runs damaged code as it is.
    const kept = readKept(file);
    const cachedData = kept && halfOf(kept);
    const script = new Script(`(function (exports, require, module, __filename, __dirname) { ${content}\n})`, {
      filename,
      ...(cachedData && { cachedData }),
    });
    if (script.cachedDataRejected !== false) made.push({ script, file });
    const run = script.runInThisContext() as (...args: unknown[]) => unknown;
    return run.call(module.exports, module.exports, createRequire(filename), module, filename, dirname(filename));
  };
  return made;
}

function write(made: readonly Made[], cache: string): void {
  if (made.length === 0) return;
  try {
    makeRoom(cache, filesMax);
    for (const { script, file } of made) {
      const data = new Uint8Array(script.createCachedData());
      writeKept(file, data, data);
    }
  } catch {
    // A cache that cannot be written is none.
  }
}
