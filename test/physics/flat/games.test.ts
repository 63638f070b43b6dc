import { describe, expect, test } from 'vitest';
import { type LoadedGame, Simulation } from '../../../engine/index.ts';
import { insideOf } from '../../../engine/internal.ts';
import type { PhysicsEngine } from '../../../engine/physics/bodies.ts';
import { Bots } from '../../../src/bots/bots.ts';
import { intricate } from '../../support/intricate.ts';
import { isLong } from '../../support/property.ts';
import { sampleGame } from '../../support/samples.ts';
import { stateOf } from './state.ts';

const games: [string, LoadedGame, ticks: number][] = [
  ...['outbreak', 'infection', 'ray-casting', 'team-elimination'].map((name): [string, LoadedGame, number] => [
    name,
    sampleGame(`${name}.json`),
    isLong ? 240 : 60,
  ]),
  ['a game with everything that is easy to lose', intricate, 40],
];

/** The view of a game, and everything of its bodies that their future depends on. */
function play(game: LoadedGame, ticks: number, dialect: 'standard' | 'moddio', physics: PhysicsEngine): unknown[] {
  const sim = new Simulation(game, { seed: 'flat', dialect, physics });
  const bots = new Bots(sim, { count: 8, seed: 'flat' });
  const states: unknown[] = [];
  while (sim.tick < ticks && !sim.ended) {
    bots.beforeStep();
    sim.step();
    if (sim.tick % 10 !== 0) continue;
    states.push(sim.view(), stateOf(insideOf(sim).game.physics.parts.planck).numbers);
  }
  return states;
}

describe.each(games)('%s', (_name, game, ticks) => {
  test.each(['standard', 'moddio'] as const)('is the same with planck itself: %s', (dialect) => {
    expect(play(game, ticks, dialect, 'flat')).toEqual(play(game, ticks, dialect, 'planck'));
  });
});

test('planck itself is there to be compared with, and is not saved', () => {
  const sim = new Simulation(sampleGame('outbreak.json'), { physics: 'planck' });
  const saved = new Simulation(sampleGame('outbreak.json')).snapshot();
  const calls = [
    () => sim.hash(),
    () => sim.snapshot(),
    () => Simulation.restore(sampleGame('outbreak.json'), saved, { physics: 'planck' }),
  ];
  for (const call of calls) expect(call).toThrow(expect.objectContaining({ name: 'UsageError', code: 'bad-option' }));
});
