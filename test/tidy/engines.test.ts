import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Locked {
  readonly dev?: boolean;
  /** Installed for the tests, and by users who install an optional peer themselves. */
  readonly devOptional?: boolean;
  readonly engines?: { readonly node?: string };
}

/** The oldest Node that this package runs on. */
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

test('all that people install runs on the oldest Node, planck alone says otherwise and was tried', () => {
  const { packages } = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'));
  const newer = Object.entries(packages as Record<string, Locked>)
    .filter(([, { dev, devOptional }]) => dev !== true && devOptional !== true)
    .filter(([, { engines }]) => engines?.node !== undefined && !takesOldest(engines.node))
    .map(([path]) => path);
  expect(newer).toEqual(['node_modules/planck']);
});
