import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type LoadedGame, loadDefinition, Simulation } from '../../engine/index.ts';
import { EntityRef, internalsOf } from '../../engine/tools.ts';
import { partsOf } from '../../engine/world/definition-parts.ts';
import { Bots } from '../../src/bots/bots.ts';
import { expectAlike } from '../support/alike.ts';
import { intricate } from '../support/intricate.ts';
import { isLong, sampleOf } from '../support/property.ts';
import { readRealGame, realGames, someRealGames } from '../support/real-games.ts';
import { sampleGame, samplesFolder } from '../support/samples.ts';

const samples = readdirSync(samplesFolder).filter((file) => file.endsWith('.json'));

function played(game: LoadedGame, dialect: 'standard' | 'moddio', ticks: number): Simulation {
  const sim = new Simulation(game, { seed: 'forked', dialect });
  const bots = new Bots(sim, { count: 5, seed: 'forked' });
  while (sim.tick < ticks && !sim.ended) {
    bots.beforeStep();
    sim.step();
  }
  // Pending inputs belong to the fork, too.
  sim.join({ name: 'late' });
  return sim;
}

/** All mutable objects of a world with their paths. */
function changeable(sim: Simulation): Map<object, string> {
  const { world } = internalsOf(sim);
  const parts = partsOf(world);
  const given = new Set([
    'definition',
    'set',
    'limits',
    'types',
    'layout',
    'port',
    'runtime',
    'game',
    'observer',
    'listener',
    'subscribed',
    // Never changed: tiles of walls are replaced whole.
    'shapes',
    'outlines',
    'cells',
  ]);
  const found = new Map<object, string>();
  const waiting: [string, unknown][] = [['world', world]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [path, value] = next;
    if (value === null || typeof value !== 'object' || found.has(value)) continue;
    if (Object.isFrozen(value) || value instanceof EntityRef || parts.numberOf(value) >= 0) continue;
    found.set(value, path);
    if (ArrayBuffer.isView(value)) waiting.push([`${path}/buffer`, value.buffer]);
    else if (value instanceof Map) for (const [key, each] of value) waiting.push([`${path}/${key}`, each]);
    else
      for (const key of Object.keys(value))
        if (!given.has(key)) waiting.push([`${path}/${key}`, (value as never)[key]]);
  }
  return found;
}

/**
 * A list by row can be longer than its last row with a value, which bytes do not preserve. Its values are compared by
 * the hashes.
 */
const longerLists = [[/^World\/components\/\w+\/\d+$/, 'rows behind the last with a value']] as const;

function expectFork(sim: Simulation, game: LoadedGame, where: string): void {
  const bytes = sim.snapshot();
  const fork = sim.fork();
  expect([fork.tick, fork.hash(), fork.hash()], where).toEqual([sim.tick, sim.hash(), sim.hash()]);
  expect(Buffer.compare(fork.snapshot(), bytes), where).toBe(0);
  const mine = changeable(sim);
  const shared = [...changeable(fork)].filter(([object]) => mine.has(object)).map(([, path]) => path);
  expect(shared, where).toEqual([]);
  const fresh = Simulation.restore(game, bytes);
  expectAlike(sim.fork(), fresh, where, longerLists);
  for (let i = 0; i < 20; i++) for (const each of [fork, fresh]) each.step();
  expect(fork.hash(), where).toBe(fresh.hash());
  // The original is unchanged, whatever the fork has done.
  expect(Buffer.compare(sim.snapshot(), bytes), where).toBe(0);
}

describe('a fork equals a restored snapshot and shares nothing mutable with the original', () => {
  const cases = [...samples, 'intricate'].flatMap((file) => [[file, 'standard'] as const, [file, 'moddio'] as const]);
  test.each(sampleOf(cases, 3))('%s, %s', (file, dialect) => {
    const game = file === 'intricate' ? intricate : sampleGame(file);
    for (const ticks of isLong ? [0, 5, 150] : [40]) expectFork(played(game, dialect, ticks), game, `tick ${ticks}`);
  });

  test.skipIf(realGames.length === 0)('games of other people (skipped where the folder is absent)', () => {
    for (const file of someRealGames(3)) {
      const { game } = loadDefinition(readRealGame(file));
      for (const dialect of ['standard', 'moddio'] as const)
        expectFork(played(game!, dialect, 40), game!, `${file} ${dialect}`);
    }
  });
});

test('a reseeded fork draws other random numbers, and is saved with them', () => {
  const game = sampleGame('outbreak.json');
  const sim = played(game, 'standard', 40);
  const hashesAfter = (fork: Simulation): string => {
    fork.run({ seconds: 20 });
    return fork.hash();
  };
  const same = hashesAfter(sim.fork());
  const other = sim.fork({ reseed: 'other' });
  const saved = Simulation.restore(game, other.snapshot());
  expect(other.seed).toBe('other');
  const once = hashesAfter(other);
  expect(once).not.toBe(same);
  expect(hashesAfter(sim.fork({ reseed: 'other' }))).toBe(once);
  expect(hashesAfter(saved)).toBe(once);
  expect(hashesAfter(sim.fork())).toBe(same);
});

test('a simulation takes memory for the entities that it has, not for as many as it may have', () => {
  const sim = played(sampleGame('infection.json'), 'standard', 100);
  const bytesOf = (of: Simulation) => {
    const buffers = [...changeable(of).keys()].filter((each) => each instanceof ArrayBuffer);
    return buffers.reduce((sum, { byteLength }) => sum + byteLength, 0);
  };
  expect(bytesOf(sim)).toBeLessThan(120_000);
  expect(bytesOf(sim.fork())).toBeLessThan(120_000);
});
