import { expect, test } from 'vitest';
import { type LoadedGame, Simulation } from '../../../engine/index.ts';
import { internalsOf } from '../../../engine/tools.ts';
import { Bots } from '../../../src/bots/bots.ts';
import { intricate } from '../../support/intricate.ts';
import { isLong } from '../../support/property.ts';
import { sampleGame } from '../../support/samples.ts';
import { Mirror } from './mirror.ts';

const games: [string, LoadedGame, ticks: number][] = [
  ...['outbreak', 'infection', 'ray-casting', 'team-elimination'].map((name): [string, LoadedGame, number] => [
    name,
    sampleGame(`${name}.json`),
    isLong ? 120 : 60,
  ]),
  ['a game with everything that is easy to lose', intricate, 40],
];

test.each(
  games.flatMap(([name, game, ticks]) =>
    (['standard except contactsInCreationOrder', 'moddio'] as const).map(
      (dialect) => [name, dialect, game, ticks] as const,
    ),
  ),
)('%s is the same with planck itself: %s', (_name, dialect, game, ticks) => {
  const sim = new Simulation(game, { seed: 'flat', dialect });
  const mirror = new Mirror(internalsOf(sim).game.physics.parts.space);
  const bots = new Bots(sim, { count: 8, seed: 'flat' });
  while (sim.tick < ticks && !sim.ended) {
    bots.beforeStep();
    sim.step();
  }
  expect(mirror.steps).toBe(sim.tick);
});
