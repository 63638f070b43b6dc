import { type Import, importsOf, type Sources } from './source.ts';

/** The import order of folders in the engine: a folder imports only itself and the folders before it. */
export const layers = [
  'core',
  'schema',
  'ecs',
  'definition',
  'components',
  'world',
  'physics',
  'rules',
  'script',
  'sim',
] as const;
/**
 * The same for the folders of the rules; files directly in `rules/` come before them. ARCHITECTURE.md says what each
 * contains.
 */
export const rooms = [
  'types',
  'entities',
  'combat',
  'items',
  'ai',
  'control',
  'client',
  'players',
  'lifecycle',
  'world',
  'dialect',
] as const;
/** The rooms of `src/`: the same for them. The first comment of a room's door is its sentence in ARCHITECTURE.md. */
export const srcLayers = [
  'statistics',
  'text',
  'html',
  'schema',
  'model',
  'check',
  'language',
  'machine',
  'load',
  'store',
  'expression',
  'bots',
  'run',
  'why',
  'journal',
  'graph',
  'picture',
  'viewer',
  'scenario',
  'explore',
  'review',
  'report',
  'bench',
  'lsp',
  'net',
  'modd-client',
  'cluster',
  'server',
  'playground',
  'cli',
] as const;

/** Rooms that are programs: they are started, not imported. Their entry says what they are for. */
const programs: Readonly<Record<string, string>> = { playground: 'playground.ts', cli: 'main.ts' };
/** Files that others than their room use beside its door, and why. */
const sideDoors: Readonly<Record<string, string>> = {
  'src/scenario/testing.ts': '`reenact/testing`, which exports all of it',
  'src/server/colyseus/index.ts': '`@reenact/server/colyseus`, which needs a package that few servers have',
  'src/server/durable-object/index.ts': '`@reenact/server/durable-object`, which runs on a platform without Node',
  'src/playground/samples.ts': 'tools/playground.mjs copies the games that it lists into the page',
};

/** The door of a room of `src/`, or what starts it. */
export function doorOf(room: string): string {
  return `src/${room}/${programs[room] ?? 'index.ts'}`;
}

/** The sentence that says what a room is for; undefined if its door does not begin with one. */
export function sentenceOf(room: string, sources: Sources): string | undefined {
  const comment = /^(?:#![^\n]*\n\s*)?\/\*\*\s(.*?\.)\s.*?\*\/\n/s.exec(sources.get(doorOf(room)) ?? '');
  return comment?.[1]?.replace(/\s+\*\s+/g, ' ').trim();
}

/** Rooms of `src/` without a door, and imports that climb in by a window. Tests mirror the inside, so they may. */
export function doorFaults(sources: Sources): string[] {
  const faults: string[] = [];
  const present = new Set(Array.from(sources.keys(), (path) => /^src\/([^/]+)\//.exec(path)?.[1]));
  for (const room of srcLayers)
    if (present.has(room) && sentenceOf(room, sources) === undefined)
      faults.push(`${doorOf(room)} is missing or does not begin with a sentence that says what the room is for`);
  for (const [path, { target, line }] of allImports(sources)) {
    // Build scripts import what the compiler wrote.
    const file = target?.replace(/^dist\/(src\/.*)\.js$/, '$1.ts');
    const room = srcLayers.find((each) => file?.startsWith(`src/${each}/`));
    if (room === undefined || path.startsWith('test/') || path.startsWith(`src/${room}/`)) continue;
    if (file !== `src/${room}/index.ts` && sideDoors[file!] === undefined)
      faults.push(`${path}:${line} imports ${file}: whoever is outside of ${room} imports src/${room}/index.ts`);
  }
  return faults;
}

export interface Manifest {
  readonly bin?: unknown;
  readonly exports?: unknown;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  /** Packages that users may install; optional for this one. */
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

function* allImports(sources: Sources): Generator<[path: string, found: Import]> {
  for (const [path, text] of sources) for (const found of importsOf(path, text)) yield [path, found];
}

/**
 * The doors of the engine: for programs, for our own tools, and for what knows no game. They come after the rest of the
 * engine.
 */
const surfaces: readonly string[] = ['engine/index.ts', 'engine/tools.ts', 'engine/core/index.ts'];

/** The position of a file in the order of the layers; undefined if it is not in the order. */
function layerOf(path: string): number | undefined {
  if (surfaces.includes(path)) return layers.length;
  const [top, folder, file] = path.split('/');
  const order: readonly string[] = top === 'engine' ? layers : top === 'src' ? srcLayers : [];
  const index = file === undefined ? -1 : order.indexOf(folder!);
  return index === -1 ? undefined : index;
}

const isRule = (path: string): boolean => path.startsWith('engine/rules/');

/** The position of a file of the rules in the order of their folders; undefined if it is not in the order. */
function roomOf(path: string): number | undefined {
  const [room, file] = path.split('/').slice(2);
  if (file === undefined) return -1;
  const index = (rooms as readonly string[]).indexOf(room!);
  return index === -1 ? undefined : index;
}

/** Imports that violate the order of the folders, and files outside of it. */
export function directionFaults(sources: Sources): string[] {
  const faults: string[] = [];
  for (const path of sources.keys()) {
    if (path.startsWith('engine/') && layerOf(path) === undefined) {
      faults.push(`${path} is in none of the engine's folders: ${layers.join(', ')}`);
    } else if (path.startsWith('engine/rules/') && roomOf(path) === undefined) {
      faults.push(`${path} is in none of the rooms of the rules: ${rooms.join(', ')}`);
    } else if (path.startsWith('src/') && layerOf(path) === undefined) {
      faults.push(`${path} is in none of the folders of src/: ${srcLayers.join(', ')}`);
    }
  }
  for (const [path, { target, line }] of allImports(sources)) {
    if (target === undefined) continue;
    const place = `${path}:${line} imports ${target}`;
    if (path.startsWith('engine/')) {
      const own = layerOf(path) ?? 0;
      const other = target.startsWith('engine/') ? layerOf(target) : undefined;
      if (other === undefined) faults.push(`${place}: the engine imports nothing from outside of its folders`);
      else if (other > own) faults.push(`${place}: imports only go ${layers.join(' <- ')} <- index.ts`);
      else if (isRule(path) && isRule(target) && (roomOf(target) ?? -1) > (roomOf(path) ?? rooms.length)) {
        faults.push(`${place}: imports only go ${rooms.join(' <- ')}; rules/events.ts is for what others must know`);
      }
    } else if (path.startsWith('src/')) {
      const allowed = target.startsWith('src/') || surfaces.includes(target);
      if (!allowed && !target.endsWith('.json')) {
        faults.push(`${place}: what faces people uses ${surfaces.join(', ')}`);
      } else if (target.startsWith('src/') && layerOf(target)! > layerOf(path)!) {
        faults.push(`${place}: imports only go ${srcLayers.join(' <- ')}`);
      }
    }
  }
  return faults;
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

/**
 * Declared packages that nothing uses. A dependency is used when the engine or `src/` imports it. A development one is
 * used when anything imports it, a script runs one of its commands, or it holds types of something used. `commandsOf`
 * gives the commands a package installs.
 */
export function idlePackages(
  sources: Sources,
  manifest: Manifest,
  commandsOf: (name: string) => readonly string[],
): string[] {
  const shipped = new Set<string>();
  const anywhere = new Set<string>(['node']);
  for (const [path, { specifier, target }] of allImports(sources)) {
    if (target !== undefined) continue;
    anywhere.add(packageOf(specifier));
    if (path.startsWith('engine/') || path.startsWith('src/')) shipped.add(packageOf(specifier));
  }
  const words = new Set(Object.values(manifest.scripts ?? {}).flatMap((script) => script.split(/[\s;&|]+/)));
  const faults: string[] = [];
  for (const name of Object.keys(manifest.dependencies ?? {})) {
    if (!shipped.has(name)) faults.push(`${name}: neither engine/ nor src/ imports it`);
  }
  for (const name of Object.keys(manifest.devDependencies ?? {})) {
    const typed = name.startsWith('@types/') && anywhere.has(name.slice('@types/'.length));
    if (!typed && !anywhere.has(name) && !commandsOf(name).some((command) => words.has(command))) {
      faults.push(`${name}: nothing imports it and no script runs it`);
    }
  }
  return faults;
}

/**
 * The source files that package.json starts, and those that packages are made from, as the text of `tools/packages.mjs`
 * names them. `dist/engine/b.js` is `engine/b.ts` here.
 */
export function entryPoints(manifest: Manifest, packages = ''): string[] {
  const text = JSON.stringify([manifest.bin, manifest.exports, manifest.scripts]) + packages;
  const compiled = Array.from(
    text.matchAll(/\bdist\/((?:engine|src|bench)\/[\w/.-]+?)\.js\b/g),
    (match) => `${match[1]}.ts`,
  );
  const named = Array.from(text.matchAll(/(?<![\w/.-])((?:engine|src|bench)\/[\w/.-]+?\.ts)\b/g), (match) => match[1]!);
  return [...new Set([...compiled, ...named])].sort();
}
