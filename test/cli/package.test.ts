import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

/** The package as npm packs it: what users need, and nothing that only the project needs. */
const root = fileURLToPath(new URL('../../', import.meta.url));

/** Nothing is built for it, so that what is there is packed. */
function packed(): string[] {
  const report = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 2 ** 26,
    shell: process.platform === 'win32',
  });
  const [{ files }] = JSON.parse(report) as [{ files: { path: string }[] }];
  return files.map(({ path }) => path);
}

function files(folder: string, ending: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`);
}

/** The files that `exports` and `bin` of package.json name. */
function entryPoints(): string[] {
  const { bin, exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const targets = Object.values(exports).flatMap((target) =>
    typeof target === 'string' ? [target] : Object.values(target as Record<string, string>),
  );
  return [...Object.values(bin as Record<string, string>), ...targets].map((path) => path.replace('./', ''));
}

describe('the package', () => {
  const inside = packed();

  test('holds the sample games with their scenarios, the templates, the schemas and the documentation', () => {
    const wanted = [
      ...files('scenarios', '.json'),
      ...files('scenarios', '.scenario.yaml'),
      ...files('templates', '.json'),
      ...files('schema', '.json'),
      ...files('docs', '.md'),
    ];
    expect(wanted.length).toBeGreaterThan(50);
    expect(wanted.filter((path) => !inside.includes(path))).toEqual([]);
  });

  test('holds no sources, tests, benches, tools or build information', () => {
    const unwanted = /^(?:engine|src|test|bench|tools|dist-docs|dist\/(?:test|bench))\/|\.tsbuildinfo$|\/\.vitepress\//;
    expect(inside.filter((path) => unwanted.test(path))).toEqual([]);
  });

  test.skipIf(!existsSync(join(root, 'dist/cli/main.js')))('holds what its entry points name', () => {
    expect(entryPoints().filter((path) => !inside.includes(path))).toEqual([]);
  });
});
