import { describe, expect, test } from 'vitest';
import { type DialectName, type LoadedGame, Simulation } from '../../../engine/index.ts';
import { insideOf, rowOf } from '../../../engine/internal.ts';
import { isAtRest } from '../../../engine/rules/world/behaviour.ts';
import { Bots } from '../../../src/bots/bots.ts';
import { intricate } from '../../support/intricate.ts';
import { sampleGame } from '../../support/samples.ts';

const games: [string, DialectName, LoadedGame][] = ['outbreak', 'infection', 'team-elimination'].flatMap((name) =>
  (['standard', 'moddio'] as const).map((dialect): [string, DialectName, LoadedGame] => [
    name,
    dialect,
    sampleGame(`${name}.json`),
  ]),
);

describe('what rests has nothing to do', () => {
  test.each([...games, ['everything', 'standard', intricate] as const])(
    'in every tick of %s, %s',
    (_, dialect, game) => {
      const sim = new Simulation(game, { seed: 'rest', dialect });
      const bots = new Bots(sim, { count: 6, seed: 'rest' });
      const { order, components } = insideOf(sim).world;
      const busy: string[] = [];
      let resting = 0;
      for (let tick = 0; tick < 200; tick++) {
        bots.beforeStep();
        sim.step();
        for (const entity of order.entries) {
          if (!insideOf(sim).world.exists(entity) || order.isAwake(entity)) continue;
          resting++;
          const isOver = components.lifespan.deathTimeMs[rowOf(entity)]! <= sim.nowMs;
          if (isOver || !isAtRest(insideOf(sim).game, entity))
            busy.push(`${insideOf(sim).world.ref(entity)?.id} in tick ${tick}`);
        }
      }
      expect(busy).toEqual([]);
      expect(resting).toBeGreaterThan(0);
    },
  );
});
