import { type Import, importsOf, type Sources } from './source.ts';

/** What imports what inside the engine: a folder imports only itself and the folders before it. */
export const layers = ['core', 'schema', 'ecs', 'definition', 'world', 'physics', 'rules', 'script', 'sim'] as const;

export interface Manifest {
  readonly bin?: unknown;
  readonly exports?: unknown;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  /** Packages of those who use this one, which it can do without. */
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

function* allImports(sources: Sources): Generator<[path: string, found: Import]> {
  for (const [path, text] of sources) for (const found of importsOf(path, text)) yield [path, found];
}

/** The place of a file in the order of layers; `engine/index.ts` comes after all of them. Undefined outside the order. */
function layerOf(path: string): number | undefined {
  if (path === 'engine/index.ts') return layers.length;
  const [top, folder, file] = path.split('/');
  if (top !== 'engine' || file === undefined) return undefined;
  const index = (layers as readonly string[]).indexOf(folder!);
  return index === -1 ? undefined : index;
}

/** Imports that go against the order of the folders, and engine files outside of it. */
export function directionFaults(sources: Sources): string[] {
  const faults: string[] = [];
  for (const path of sources.keys()) {
    if (path.startsWith('engine/') && layerOf(path) === undefined) {
      faults.push(`${path} is in none of the engine's folders: ${layers.join(', ')}`);
    }
  }
  for (const [path, { target, line }] of allImports(sources)) {
    if (target === undefined) continue;
    const place = `${path}:${line} imports ${target}`;
    if (path.startsWith('engine/')) {
      const own = layerOf(path) ?? 0;
      const other = layerOf(target);
      if (other === undefined) faults.push(`${place}: the engine imports nothing from outside of its folders`);
      else if (other > own) faults.push(`${place}: imports only go ${layers.join(' <- ')} <- index.ts`);
    } else if (path.startsWith('src/')) {
      const allowed = target.startsWith('src/') || target === 'engine/index.ts' || target.startsWith('engine/core/');
      if (!allowed && !target.endsWith('.json')) {
        faults.push(`${place}: what faces people uses engine/index.ts (or engine/core/)`);
      }
    }
  }
  return faults;
}

/** Rings of files that import each other, one ring for each knot. Imports of types alone tie no knot: they are gone before anything runs. */
export function cycleFaults(sources: Sources): string[] {
  const targets = new Map<string, string[]>();
  for (const path of sources.keys()) targets.set(path, []);
  for (const [path, { target, typeOnly }] of allImports(sources)) {
    if (target !== undefined && !typeOnly && sources.has(target)) targets.get(path)!.push(target);
  }
  const faults: string[] = [];
  const inRing = new Set<string>();
  for (const start of sources.keys()) {
    if (inRing.has(start)) continue;
    const ring = shortestRing(start, targets);
    if (ring === undefined || ring.some((path) => inRing.has(path))) continue;
    for (const path of ring) inRing.add(path);
    faults.push([...ring, start].join(' -> '));
  }
  return faults;
}

function shortestRing(start: string, targets: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (const path of queue) {
    for (const target of targets.get(path)!) {
      if (target === start) {
        const ring = [path];
        while (ring[0] !== start) ring.unshift(cameFrom.get(ring[0]!)!);
        return ring;
      }
      if (!cameFrom.has(target)) {
        cameFrom.set(target, path);
        queue.push(target);
      }
    }
  }
  return undefined;
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

/** Packages and parts of Node that are imported where they may not be, or without being declared. */
export function packageFaults(sources: Sources, manifest: Manifest): string[] {
  const faults: string[] = [];
  const dependencies = { ...manifest.peerDependencies, ...manifest.dependencies };
  const development = { ...dependencies, ...manifest.devDependencies };
  for (const [path, { specifier, target, line }] of allImports(sources)) {
    if (target !== undefined) continue;
    const place = `${path}:${line} imports ${specifier}`;
    const shipped = path.startsWith('engine/') || path.startsWith('src/');
    if (specifier.startsWith('node:')) {
      if (path.startsWith('engine/')) faults.push(`${place}: the engine runs where there is no Node`);
      continue;
    }
    const name = packageOf(specifier);
    if (shipped && name === 'planck' && !path.startsWith('engine/physics/')) {
      faults.push(`${place}: only engine/physics/ knows the physics library`);
    }
    if (!Object.hasOwn(shipped ? dependencies : development, name)) {
      faults.push(`${place}: package.json does not have it among its ${shipped ? 'dependencies' : 'packages'}`);
    }
  }
  return faults;
}

/**
 * Declared packages that nothing uses. A dependency is used when the engine or `src/` imports it; a development one when anything does, when a
 * script runs one of its commands, or when it holds types of something used. `commandsOf` gives the commands a package installs.
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
 * The source files that package.json starts, bundles or hands out: what it calls `dist/engine/b.js` is `engine/b.ts` here, and what a script
 * names as `src/a.ts` is what it says. Bundles (`dist/cli`) are made from the latter.
 */
export function entryPoints(manifest: Manifest): string[] {
  const text = JSON.stringify([manifest.bin, manifest.exports, manifest.scripts]);
  const compiled = Array.from(
    text.matchAll(/\bdist\/((?:engine|src|bench)\/[\w/.-]+?)\.js\b/g),
    (match) => `${match[1]}.ts`,
  );
  const named = Array.from(text.matchAll(/(?<![\w/.-])((?:engine|src|bench)\/[\w/.-]+?\.ts)\b/g), (match) => match[1]!);
  return [...new Set([...compiled, ...named])].sort();
}

/** Files of the engine and of `src/` that no entry point leads to, and entry points that do not exist. */
export function deadFiles(sources: Sources, entries: readonly string[]): string[] {
  const missing = entries.filter((path) => !sources.has(path));
  // Without them, nearly everything would be reported, to no use.
  if (missing.length > 0) return missing.map((path) => `${path} is an entry point in package.json but does not exist`);
  const faults: string[] = [];
  const reached = new Set(entries);
  for (const path of reached) {
    for (const { target } of importsOf(path, sources.get(path)!)) {
      if (target !== undefined && sources.has(target)) reached.add(target);
    }
  }
  for (const path of sources.keys()) {
    const ours = path.startsWith('engine/') || path.startsWith('src/');
    // Declarations of foreign modules are read by the compiler without being imported.
    if (ours && !path.endsWith('.d.ts') && !reached.has(path)) faults.push(`${path} is imported by nothing that runs`);
  }
  return faults;
}
