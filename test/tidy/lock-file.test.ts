import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isBuilt } from '../support/program.ts';

interface Locked {
  readonly version: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  /** Installed for the tests, and by users who install an optional peer themselves. */
  readonly devOptional?: boolean;
  readonly optional?: boolean;
  readonly hasInstallScript?: boolean;
  readonly engines?: { readonly node?: string };
}

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> };
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
  /** Of each package, what it bundles and what is installed with it. */
  const parts = {
    '': ['commander', 'tinypool'],
    'engine/': ['planck'],
    'src/net/': ['sanitize-html'],
    'src/server/': ['dompurify', 'fastify'],
  };
  const named = Object.entries(parts).flatMap(([folder, expected]) => {
    const { bomFormat, components } = JSON.parse(read(`${folder}dist/sbom.json`)) as {
      bomFormat: string;
      components: { 'bom-ref': string; name: string; hashes?: { content: string }[]; properties?: object[] }[];
    };
    expect(bomFormat).toBe('CycloneDX');
    const others = components.filter(({ name }) => !name.startsWith('@reenact/'));
    expect(others.filter((each) => each.hashes?.[0]?.content !== hashes.get(each['bom-ref']))).toEqual([]);
    const names = others.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(expected));
    const licenses = read(`${folder}dist/licenses.txt`);
    for (const { name, properties } of others) if (properties !== undefined) expect(licenses).toContain(`${name} `);
    return names;
  });
  expect(new Set(named).size).toBeGreaterThan(40);
});

describe('all that people install runs on the oldest Node', () => {
  /** The oldest version that this package runs on. */
  const oldest = [20, 19, 0] as const;

  /** Whether one of the alternatives of a range, `^18 || >=20.9`, allows the oldest Node. */
  function takesOldest(range: string): boolean {
    return range.split('||').some((alternative) => {
      const [, sign = '', ...numbers] = /^\s*(>=|\^|~)?\s*v?(\d+)(?:\.(\d+|x))?(?:\.(\d+|x))?/.exec(alternative) ?? [];
      const [major, minor, patch] = numbers.map((each) => (each === undefined || each === 'x' ? 0 : Number(each)));
      if (major === undefined) return alternative.trim() === '*';
      if (sign !== '>=' && major !== oldest[0]) return false;
      const least = major * 1e6 + minor! * 1e3 + patch!;
      return least <= oldest[0] * 1e6 + oldest[1] * 1e3 + oldest[2];
    });
  }

  test.each([
    ['>=18', true],
    ['^18 || >=20', true],
    ['>= 20.19.0', true],
    ['^20.0.0', true],
    ['>=22.12.0', false],
    ['^18 || ^22', false],
    ['*', true],
  ])('a range is read as npm reads it: %s', (range, takes) => {
    expect(takesOldest(range)).toBe(takes);
  });

  test('none asks for a newer one', () => {
    const newer = installed.filter(([, { engines }]) => engines?.node !== undefined && !takesOldest(engines.node));
    expect(newer.map(([path]) => path)).toEqual([]);
  });
});
