import { describe, expect, test } from 'vitest';
import { type LoadedGame, Simulation } from '../../../engine/index.ts';
import type { PhysicsEngine } from '../../../engine/physics/bodies.ts';
import { Bots } from '../../../src/bots/bots.ts';
import { intricate } from '../../support/intricate.ts';
import { sampleGame } from '../../support/samples.ts';

const games: [string, LoadedGame, ticks: number][] = [
  ...['outbreak', 'infection', 'ray-casting', 'team-elimination'].map((name): [string, LoadedGame, number] => [
    name,
    sampleGame(`${name}.json`),
    240,
  ]),
  ['a game with everything that is easy to lose', intricate, 40],
];

function play(game: LoadedGame, ticks: number, dialect: 'standard' | 'moddio', physics: PhysicsEngine): string[] {
  const sim = new Simulation(game, { seed: 'flat', dialect, physics });
  const bots = new Bots(sim, { count: 8, seed: 'flat' });
  const hashes: string[] = [];
  while (sim.tick < ticks && !sim.ended) {
    bots.beforeStep();
    sim.step();
    if (sim.tick % 10 === 0) hashes.push(sim.hash());
  }
  return hashes;
}

describe.each(games)('%s', (_name, game, ticks) => {
  test.each(['standard', 'moddio'] as const)('is the same with planck itself: %s', (dialect) => {
    expect(play(game, ticks, dialect, 'flat')).toEqual(play(game, ticks, dialect, 'planck'));
  });

  test('goes on in the same way from a snapshot that the other took', () => {
    const sim = new Simulation(game, { seed: 1, physics: 'planck' });
    const bots = new Bots(sim, { count: 4, seed: '1' });
    for (let i = 0; i < 60; i++) {
      bots.beforeStep();
      sim.step();
    }
    const one = sim.fork({ physics: 'planck' });
    const two = sim.fork({ physics: 'flat' });
    const three = two.fork({ physics: 'planck' });
    for (let i = 0; i < 60; i++) {
      for (const each of [one, two, three]) each.step();
      expect(two.hash()).toBe(one.hash());
      expect(three.hash()).toBe(one.hash());
    }
  });
});
