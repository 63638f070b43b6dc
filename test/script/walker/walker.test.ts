import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { RandomStream } from '../../../engine/core/random.ts';
import { lazily } from '../../support/lazily.ts';
import { isLong } from '../../support/property.ts';
import { type Comparison, compare, withRandomScripts } from './differential.ts';
import type { Json } from './random-scripts.ts';
import { performed } from './walker.ts';

/** The short form of `npm run differential`. */
const ticks = isLong ? 200 : 100;

const read = (name: string): Json =>
  JSON.parse(readFileSync(fileURLToPath(new URL(`../../../scenarios/games/${name}.json`, import.meta.url)), 'utf8'));
const games = ['infection', 'outbreak', 'ray-casting', 'team-elimination'];

const plays = new Map(
  games.map((name) => [
    name,
    lazily(() => (['standard', 'moddio'] as const).map((dialect) => compare(read(name), dialect, ticks, name))),
  ]),
);

const randomPlays = new Map(
  games.map((name) => [
    name,
    lazily(() =>
      Array.from({ length: 8 }, (_, number): Comparison => {
        const document = withRandomScripts(read(name), new RandomStream(`walker/${name}/${number}`));
        return compare(document, number % 2 === 0 ? 'standard' : 'moddio', 15, String(number));
      }),
    ),
  ]),
);

describe('compiled scripts behave like a plain interpreter', () => {
  test.each([...plays])('in %s', (_name, played) => {
    for (const compared of played()) expect(compared).toMatchObject({ failure: undefined, ticks });
  });

  test.each([...randomPlays])('in %s with random scripts', (_name, played) => {
    expect(played().map(({ failure }) => failure)).toEqual(new Array(8).fill(undefined));
  });

  test('with most operations of the language', () => {
    for (const played of [...plays.values(), ...randomPlays.values()]) played();
    expect(performed.actions.size).toBeGreaterThan(150);
    expect(performed.functions.size).toBeGreaterThan(150);
  });
});
