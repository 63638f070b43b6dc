import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { isBuilt } from '../support/program.ts';

/** The packages as npm packs them must contain what users need, and nothing that only the project needs. */
const root = fileURLToPath(new URL('../../', import.meta.url));
const folders = { reenact: '', '@reenact/engine': 'engine', '@reenact/server': 'src/server' } as const;
const names = Object.keys(folders) as (keyof typeof folders)[];

/** Packs what is built already. */
function packed(): Map<string, string[]> {
  const report = execFileSync('npm', ['pack', '--workspaces', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 2 ** 26,
    shell: process.platform === 'win32',
  });
  const packages = JSON.parse(report) as { name: string; files: { path: string }[] }[];
  return new Map(packages.map(({ name, files }) => [name, files.map(({ path }) => path)]));
}

function files(folder: string, ending: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`);
}

/** The files to which `exports` and `bin` of a package.json refer. */
function entryPoints(folder: string): string[] {
  const { bin = {}, exports } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  const targets = Object.values(exports).flatMap((target) =>
    typeof target === 'string' ? [target] : Object.values(target as Record<string, string>),
  );
  return [...Object.values(bin as Record<string, string>), ...targets].map((path) => path.replace('./', ''));
}

describe('the packages', () => {
  const inside = packed();

  test('are three', () => {
    expect([...inside.keys()].sort()).toEqual([...names].sort());
  });

  test('contain the sample games with their scenarios, the templates, the schemas and the documentation', () => {
    const wanted = [
      ...files('scenarios', '.json'),
      ...files('scenarios', '.scenario.yaml'),
      ...files('templates', '.json'),
      ...files('schema', '.json'),
      ...files('docs', '.md'),
    ];
    expect(wanted.length).toBeGreaterThan(50);
    expect(wanted.filter((path) => !inside.get('reenact')!.includes(path))).toEqual([]);
  });

  test.each(names)('%s contains no sources, tests, benches, tools or build information', (name) => {
    const unwanted =
      /^(?:engine|src|test|bench|tools|dist-docs|dist\/(?:src|test|bench))\/|(?<!\.d)\.ts$|\.tsbuildinfo$|\/\.vitepress\//;
    expect(inside.get(name)!.filter((path) => unwanted.test(path))).toEqual([]);
  });

  test.skipIf(!isBuilt).each(names)('%s contains its entry points, its bill of materials and its license', (name) => {
    const found = inside.get(name)!;
    const wanted = [...entryPoints(folders[name]), 'dist/sbom.json', 'dist/licenses.txt'];
    const missing = wanted.filter((path) => {
      const [before, after] = path.split('*');
      return !found.some((each) => each.startsWith(before!) && each.endsWith(after ?? before!));
    });
    expect(missing).toEqual([]);
    expect(found.some((path) => /(?:^|\/)LICENSE$/.test(path))).toBe(true);
  });
});

interface LockedPackage {
  readonly version: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly optional?: boolean;
  readonly hasInstallScript?: boolean;
}

describe('the lock file', () => {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };
  const packages = Object.entries(lock.packages).filter(([path, { link }]) => path.includes('node_modules/') && !link);
  const installed = packages.filter(([, { dev, devOptional }]) => dev !== true && devOptional !== true);
  const hashOf = (integrity: string): string => Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex');

  test('pins every package with a hash of its content', () => {
    expect(packages.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))).toEqual([]);
  });

  test('has no package with a required install script: `npm ci --ignore-scripts` suffices', () => {
    const running = installed.filter(([, { hasInstallScript, optional }]) => hasInstallScript && !optional);
    expect(running.map(([path]) => path)).toEqual([]);
  });

  test.skipIf(!isBuilt)('matches the bills of materials for installed and bundled packages', () => {
    const hashes = new Map(packages.map(([path, { integrity }]) => [path, hashOf(integrity ?? '')]));
    const bundled = { reenact: 'commander', '@reenact/engine': 'seedrandom', '@reenact/server': 'dompurify' };
    const bills = names.map((name) => {
      const bill = JSON.parse(readFileSync(join(root, folders[name], 'dist/sbom.json'), 'utf8')) as {
        bomFormat: string;
        components: { 'bom-ref': string; name: string; hashes?: { content: string }[] }[];
      };
      expect(bill.bomFormat).toBe('CycloneDX');
      const ours = bill.components.filter((each) => each.name.startsWith('@reenact/'));
      const others = bill.components.filter((each) => !ours.includes(each));
      expect(others.filter((each) => each.hashes?.[0]?.content !== hashes.get(each['bom-ref']))).toEqual([]);
      const licenses = readFileSync(join(root, folders[name], 'dist/licenses.txt'), 'utf8');
      expect(licenses).toContain(`${bundled[name]} `);
      return bill.components.map((each) => each.name);
    });
    const depended = { reenact: 'tinypool', '@reenact/engine': 'planck', '@reenact/server': 'avvio' };
    names.forEach((name, i) => {
      expect(bills[i]).toEqual(expect.arrayContaining([bundled[name], depended[name]]));
    });
    expect(new Set(bills.flat()).size).toBeGreaterThan(40);
  });
});
