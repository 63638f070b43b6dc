import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { RandomStream } from '../../../engine/core/random.ts';
import { compare, withRandomScripts } from './differential.ts';
import type { Json } from './random-scripts.ts';
import { performed } from './walker.ts';

/** The short form of `npm run differential`. */

const read = (name: string): Json =>
  JSON.parse(readFileSync(fileURLToPath(new URL(`../../../scenarios/games/${name}.json`, import.meta.url)), 'utf8'));
const games = ['infection', 'outbreak', 'ray-casting', 'team-elimination'];

describe('compiled scripts do what a plain interpreter does', () => {
  test.each(games)('in %s', (name) => {
    for (const dialect of ['standard', 'moddio'] as const)
      expect(compare(read(name), dialect, 200, name)).toMatchObject({ failure: undefined, ticks: 200 });
  });

  test.each(games)('in %s with random scripts', (name) => {
    for (let number = 0; number < 8; number++) {
      const document = withRandomScripts(read(name), new RandomStream(`walker/${name}/${number}`));
      const compared = compare(document, number % 2 === 0 ? 'standard' : 'moddio', 15, String(number));
      expect([number, compared.failure]).toEqual([number, undefined]);
    }
  });

  test('of most words of the language', () => {
    expect(performed.actions.size).toBeGreaterThan(150);
    expect(performed.functions.size).toBeGreaterThan(150);
  });
});
