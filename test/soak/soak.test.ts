import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { growth, outgrowths, type SoakLeg, soak } from './soak.ts';

/** The short form of `npm run soak:games`. */

const read = (name: string): unknown =>
  JSON.parse(readFileSync(fileURLToPath(new URL(`../../scenarios/games/${name}.json`, import.meta.url)), 'utf8'));

test.each(['infection', 'outbreak', 'ray-casting', 'team-elimination'])('nothing in %s grows over minutes', (name) => {
  const parts = soak(read(name), { ticks: 900, parts: 12, dialect: 'standard' });
  expect(parts.reduce((sum, { joined }) => sum + joined, 0)).toBeGreaterThan(8);
  // Other tests of the process change its heap and handles, too.
  const own = parts.map((part) => ({ ...part, heap: 0, handles: 0 }));
  expect(outgrowths(own)).toEqual([]);
});

test('a game that schedules more than it runs is found to grow', () => {
  const wait = { type: 'setTimeOut', duration: 1e7, actions: [] };
  const leak = { name: 'leak', triggers: [{ type: 'secondTick' }], actions: Array.from({ length: 20 }, () => wait) };
  const map = { width: 2, height: 2, tilewidth: 64, tileheight: 64, layers: [] };
  const parts = soak({ data: { map, scripts: { leak } } }, { ticks: 1200, parts: 12, dialect: 'standard' });
  const found = outgrowths(parts, 1.2).map((sentence) => sentence.split(':')[0]);
  expect(found).toEqual(expect.arrayContaining(['snapshot', 'timers']));
  expect(growth(parts.map(({ timers }: SoakLeg) => timers))).toBeGreaterThan(1);
});
