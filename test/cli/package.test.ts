import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
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

  test.skipIf(!existsSync(join(root, 'dist/sbom.json')))('holds its bill of materials', () => {
    expect(inside).toContain('dist/sbom.json');
  });

  test.skipIf(!existsSync(join(root, 'dist/cli/main.js')))('holds what its entry points name', () => {
    expect(entryPoints().filter((path) => !inside.includes(path))).toEqual([]);
  });
});

interface LockedPackage {
  readonly version: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly optional?: boolean;
  readonly peer?: boolean;
  readonly hasInstallScript?: boolean;
}

describe('the lock file', () => {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };
  const { '': _own, ...packages } = lock.packages;
  const installed = Object.entries(packages).filter(([, { dev, devOptional }]) => dev !== true && devOptional !== true);
  const hashOf = ({ integrity = '' }: LockedPackage): string =>
    Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex');

  test('pins every package with a hash of its content', () => {
    expect(Object.entries(packages).filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))).toEqual([]);
  });

  test('has no package that must run a script of its own to be installed: `npm ci --ignore-scripts` suffices', () => {
    const running = installed.filter(([, { hasInstallScript, optional }]) => hasInstallScript && !optional);
    expect(running.map(([path]) => path)).toEqual([]);
  });

  test('is what the bill of materials lists', { timeout: 60_000 }, () => {
    const folder = mkdtempSync(join(tmpdir(), 'reenact-sbom-'));
    const file = join(folder, 'sbom.json');
    execFileSync(process.execPath, [join(root, 'tools/sbom.mjs'), file]);
    const bill = JSON.parse(readFileSync(file, 'utf8')) as {
      bomFormat: string;
      components: { name: string; version: string; hashes?: { content: string }[] }[];
    };
    rmSync(folder, { recursive: true });
    expect(bill.bomFormat).toBe('CycloneDX');
    const listed = new Map(
      bill.components.map(({ name, version, hashes }) => [`${name}@${version}`, hashes?.[0]?.content]),
    );
    const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const missing = installed.filter(
      ([path, locked]) => listed.get(`${nameOf(path)}@${locked.version}`) !== hashOf(locked),
    );
    expect(missing.map(([path]) => path)).toEqual([]);
    const known = new Set(installed.map(([path, { version }]) => `${nameOf(path)}@${version}`));
    expect([...listed.keys()].filter((name) => !known.has(name))).toEqual([]);
    expect(listed.size).toBeGreaterThan(40);
  });
});
