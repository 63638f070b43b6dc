import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { directionFaults, doorFaults, idlePackages, type Manifest } from './imports.ts';
import { readSources, readTypeScript, root, type Sources } from './source.ts';

const [manifest, ...others] = ['', 'engine/', 'src/net/', 'src/server/'].map(
  (folder): Manifest => JSON.parse(readFileSync(`${root}${folder}package.json`, 'utf8')),
) as [Manifest, ...Manifest[]];
/** The packages of all four, without each other. */
function packagesOf(key: 'dependencies' | 'devDependencies'): Record<string, string> {
  const all = [manifest, ...others].flatMap((each) => Object.entries(each[key] ?? {}));
  return Object.fromEntries(all.filter(([name]) => !name.startsWith('@reenact/')));
}
const product = readTypeScript('engine', 'src', 'bench');
const everything = readSources(['engine', 'src', 'bench', 'test', 'tools', 'editors'], (path) =>
  /\.(ts|mjs)$/.test(path),
);
for (const [path, text] of readSources([''], (path) => /^[^/]+\.ts$/.test(path))) everything.set(path, text);

/** A source of one import for each `from -> to` or, for types only, `from => to`. */
function sketch(...arrows: string[]): Sources {
  const sources = new Map<string, string>();
  for (const arrow of arrows) {
    const [from, kind, to] = arrow.split(' ') as [string, string | undefined, string | undefined];
    const before = sources.get(from) ?? '';
    if (to === undefined) {
      sources.set(from, before);
      continue;
    }
    const up = '../'.repeat(from.split('/').length - 1) || './';
    const specifier = to.endsWith('.ts') || to.endsWith('.json') ? `${up}${to}` : to;
    sources.set(from, `${before}import ${kind === '=>' ? 'type ' : ''}{ x } from '${specifier}';\n`);
  }
  return sources;
}

describe('imports go one way', () => {
  test('in this project', () => {
    expect(
      directionFaults(product),
      'Move the code to the folder it belongs to, or pass what it needs as an argument.',
    ).toEqual([]);
  });

  test.each([
    'engine/world/a.ts -> engine/core/b.ts',
    'engine/rules/items/a.ts -> engine/rules/entities/b.ts',
    'engine/index.ts -> engine/sim/a.ts',
    'src/cli/main.ts -> engine/core/index.ts',
    'src/run/a.ts => src/text/b.ts',
    'test/world/a.test.ts -> engine/world/a.ts',
  ])('%s is fine', (arrow) => {
    expect(directionFaults(sketch(arrow))).toEqual([]);
  });

  test.each([
    ['engine/core/a.ts => engine/definition/b.ts', 'imports only go'],
    ['engine/rules/items/a.ts -> engine/index.ts', 'imports only go'],
    ['engine/rules/entities/a.ts => engine/rules/items/b.ts', 'imports only go'],
    ['engine/rules/new/a.ts', 'none of the rooms'],
    ['engine/sim/a.ts -> src/load/b.ts', 'nothing from outside'],
    ['src/cli/a.ts -> engine/world/b.ts', 'engine/index.ts'],
    ['src/cli/a.ts -> engine/core/issue.ts', 'engine/core/index.ts'],
    ['engine/world/a.ts -> engine/core/index.ts', 'imports only go'],
    ['engine/a.ts', 'none of the engine'],
    ['src/text/a.ts => src/cli/b.ts', 'imports only go'],
    ['src/new/a.ts', 'none of the folders'],
  ])('%s is not', (arrow, why) => {
    expect(directionFaults(sketch(arrow))).toEqual([expect.stringContaining(why)]);
  });
});

describe('rooms have doors', () => {
  test('in this project', () => {
    expect(doorFaults(everything), 'Export it in the door of its room, or move it to the room that needs it.').toEqual(
      [],
    );
  });

  const door = ['src/text/index.ts', '/** Text. */\nexport { x } from "./a.ts";\n'] as const;
  const faultsOf = (...arrows: string[]) => doorFaults(new Map([...sketch(...arrows), door]));

  test.each([
    'src/cli/b.ts -> src/text/index.ts',
    'src/text/b.ts => src/text/a.ts',
    'test/text/a.test.ts -> src/text/a.ts',
    'src/cli/b.ts -> src/scenario/testing.ts',
  ])('%s is fine', (arrow) => {
    expect(faultsOf(arrow, 'src/text/a.ts').filter((fault) => !fault.includes('does not begin'))).toEqual([]);
  });

  test.each([
    'src/cli/b.ts => src/text/a.ts',
    'bench/b.ts -> src/text/a.ts',
    'src/server/room/b.ts -> src/text/a.ts',
    'src/text/b.ts -> src/cli/b.ts',
  ])('%s is not', (arrow) => {
    expect(faultsOf(arrow)).toContainEqual(expect.stringContaining('whoever is outside'));
  });

  test('a build script that imports what was compiled is outside, too', () => {
    const script = ['tools/a.mjs', "import { x } from '../dist/src/text/a.js';\n"] as const;
    expect(doorFaults(new Map([script, door]))).toEqual([expect.stringContaining('src/text/index.ts')]);
  });

  test('a room without a door, or whose door does not say what it is for, is named', () => {
    expect(faultsOf('src/load/a.ts')).toEqual([expect.stringContaining('src/load/index.ts is missing')]);
    expect(doorFaults(new Map([['src/text/index.ts', "export { x } from './a.ts';\n"]]))).toHaveLength(1);
  });
});

describe('packages', () => {
  test('that are declared are used', () => {
    const commandsOf = (name: string) => {
      const { bin } = JSON.parse(readFileSync(`${root}node_modules/${name}/package.json`, 'utf8'));
      return typeof bin === 'string' ? [name] : Object.keys(bin ?? {});
    };
    const all = {
      ...manifest,
      dependencies: packagesOf('dependencies'),
      devDependencies: packagesOf('devDependencies'),
    };
    expect(idlePackages(everything, all, commandsOf), 'Use it or take it out of package.json.').toEqual([]);
  });

  const example: Manifest = {
    scripts: { lint: 'biome check . && vitest run' },
    dependencies: { planck: '1', mitt: '3' },
    devDependencies: { vitest: '4', '@biomejs/biome': '2', '@types/node': '20', '@types/lost': '1', idle: '1' },
  };

  test('idle ones are named', () => {
    const sources = sketch('engine/physics/a.ts -> planck', 'test/a.test.ts -> mitt');
    const commandsOf = (name: string) => (name === '@biomejs/biome' ? ['biome'] : [name]);
    expect(idlePackages(sources, example, commandsOf)).toEqual([
      'mitt: neither engine/ nor src/ imports it',
      '@types/lost: nothing imports it and no script runs it',
      'idle: nothing imports it and no script runs it',
    ]);
  });
});
