import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { setVariable } from '../support/actions.ts';
import { lazily } from '../support/lazily.ts';
import { missing, playOn } from './hosts.ts';
import { longPlay } from './long-play.ts';

/** A short version of `npm run determinism`. */

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const game = at('../../scenarios/games/outbreak.json');
const document = (name: string): unknown => JSON.parse(readFileSync(at(`../../scenarios/games/${name}.json`), 'utf8'));
const wishes = { ticks: 600, dialect: 'standard', stretch: 200, restores: false } as const;
const here = lazily(() => longPlay(document('outbreak'), wishes));

test.each(['infection', 'outbreak', 'ray-casting', 'team-elimination'])(
  '%s goes on from a snapshot as it was, every 200 ticks',
  (name) => {
    const played = longPlay(document(name), { ticks: 1000, dialect: 'moddio', stretch: 200, restores: true });
    expect(played).toMatchObject({ ticks: 1000, failure: undefined });
    expect(played.restored).toBeGreaterThanOrEqual(5);
    expect(played.inputs).toBeGreaterThan(100);
  },
);

test('a game that ends is restarted with another seed', () => {
  const ends = {
    data: {
      map: { width: 2, height: 2, tilewidth: 64, tileheight: 64, layers: [] },
      variables: { chance: { dataType: 'number', default: 0 } },
      scripts: {
        start: {
          name: 'start',
          triggers: [{ type: 'gameStart' }],
          actions: [setVariable('chance', { function: 'getRandomNumberBetween', min: 0, max: 1e9 })],
        },
        end: { name: 'end', triggers: [{ type: 'secondTick' }], actions: [{ type: 'endGame' }] },
      },
    },
  };
  const played = longPlay(ends, { ...wishes, ticks: 200, restores: true });
  expect(played.plays).toBeGreaterThan(2);
  expect(new Set(played.hashes).size).toBe(played.hashes.length);
});

describe('the same hashes', () => {
  for (const host of ['chromium', 'firefox']) {
    test(`in a thread of ${host}`, async ({ skip }) => {
      const why = missing(host);
      if (why !== undefined) skip(why);
      expect(await playOn(host, { game, wishes })).toEqual(here());
    });
  }
});
