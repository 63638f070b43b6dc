import { describe, expect, test } from 'vitest';
import { type DialectName, type LoadedGame, Simulation } from '../../../engine/index.ts';
import { insideOf } from '../../../engine/internal.ts';
import { restsUntilMs } from '../../../engine/rules/world/rest.ts';
import { Kind, rowOf } from '../../../engine/world/entity.ts';
import { Bots } from '../../../src/bots/bots.ts';
import { foe, later, scene } from '../../support/ai-scene.ts';
import { intricate } from '../../support/intricate.ts';
import { attribute, type Play } from '../../support/play.ts';
import { sampleGame } from '../../support/samples.ts';

const games: [string, DialectName, LoadedGame][] = ['outbreak', 'infection', 'team-elimination', 'ray-casting'].flatMap(
  (name) =>
    (['standard', 'moddio'] as const).map((dialect): [string, DialectName, LoadedGame] => [
      name,
      dialect,
      sampleGame(`${name}.json`),
    ]),
);
const played = [...games, ['everything', 'standard', intricate], ['everything', 'moddio', intricate]] as const;

/** A game with six players who press keys. */
function play(game: LoadedGame, dialect: DialectName): { readonly sim: Simulation; tick(): void } {
  const sim = new Simulation(game, { seed: 'rest', dialect });
  const bots = new Bots(sim, { count: 6, seed: 'rest' });
  return {
    sim,
    tick() {
      bots.beforeStep();
      sim.step();
    },
  };
}

describe('what rests has nothing to do', () => {
  test.each(played)('in every tick of %s, %s', (_, dialect, game) => {
    const { sim, tick } = play(game, dialect);
    const { order } = insideOf(sim).world;
    const busy: string[] = [];
    let resting = 0;
    for (let i = 0; i < 200; i++) {
      tick();
      for (const entity of order.entries) {
        if (!insideOf(sim).world.exists(entity) || order.isAwake(entity)) continue;
        resting++;
        if (!(restsUntilMs(insideOf(sim).game, entity) > sim.nowMs))
          busy.push(`${insideOf(sim).world.ref(entity)?.id} in tick ${i}`);
      }
    }
    expect(busy).toEqual([]);
    expect(resting).toBeGreaterThan(0);
  });
});

describe('a game in which nobody ever rests goes the same way', () => {
  test.each(played)('%s, %s', (_, dialect, game) => {
    const resting = play(game, dialect);
    const restless = play(game, dialect);
    const { order } = insideOf(restless.sim).world;
    for (let i = 1; i <= 160; i++) {
      for (const entity of order.entries) order.wake(entity);
      resting.tick();
      restless.tick();
      if (i % 8 === 0 && resting.sim.hash() !== restless.sim.hash()) throw new Error(`They have parted by tick ${i}.`);
    }
  });
});

describe('at rest', () => {
  /** Who of the units and sensors is visited in how many of the next ticks. */
  function visits(game: Play, ticks: number): Record<string, number> {
    const { order, lists } = insideOf(game.sim).world;
    const watched = [...lists[Kind.unit]!.entries, ...lists[Kind.sensor]!.entries];
    const found = watched.map((entity): [string, number] => [insideOf(game.sim).world.ref(entity)!.id, 0]);
    for (let i = 0; i < ticks; i++) {
      order.wakeDue(game.sim.nowMs + 1000 / game.sim.rate);
      watched.forEach((entity, at) => {
        if (order.isAwake(entity)) found[at]![1]++;
      });
      game.ticks(1);
    }
    return Object.fromEntries(found);
  }

  test('are units that stand there, with AI that has nothing in mind and without, and their sensors', () => {
    const game = scene({ ai: { sensorRadius: 100 } }, { dialect: 'standard' });
    game.seconds(2);
    expect(visits(game, 20)).toEqual({ u1: 0, u2: 0, s1: 0 });
  });

  test('are they between two pulses of regeneration', () => {
    const game = scene({ ai: { sensorRadius: 100 } }, { dialect: 'moddio' });
    game.seconds(2);
    const { u1, u2, s1 } = visits(game, 60);
    expect([s1, u1! > 0 && u1! <= 20, u2! <= 20]).toEqual([0, true, true]);
  });

  test('is a unit whose regeneration has come to its end, until it is hurt', () => {
    const regenerating = { attributes: { health: attribute(9, { max: 10, regenerateSpeed: 1 }) } };
    const hurt = later(3000, [{ type: 'setEntityAttribute', attribute: 'health', entity: foe, value: 9.5 }]);
    const game = scene({ prey: regenerating, scripts: { hurt } }, { dialect: 'standard' });
    game.seconds(2.5);
    expect(visits(game, 1)['u2']).toBe(0);
    game.seconds(0.6);
    expect([visits(game, 2)['u2'], game.attribute('u2', 'health')! > 9.5]).toEqual([2, true]);
  });

  test('is one that wanders, while it pauses', () => {
    const game = scene({ ai: { idleBehaviour: 'wander' } }, { dialect: 'standard' });
    game.ticks(2);
    expect(visits(game, 30)['u1']).toBe(0);
    expect(visits(game, 6 * game.sim.rate)['u1']).toBeGreaterThan(10);
  });

  test('is one under AI, as soon as it is mirrored as it faces', () => {
    const game = scene({ ai: { sensorRadius: 100 } }, { dialect: 'standard' });
    game.seconds(2);
    const { world, game: rules } = insideOf(game.sim);
    const { entity } = game.sim.find('u1')!;
    const { facing } = world.components;
    facing.angle[rowOf(entity)] = -1;
    facing.flip[rowOf(entity)] = 0;
    expect(restsUntilMs(rules, entity)).toBe(Number.NEGATIVE_INFINITY);
    world.wake(entity);
    game.ticks(1);
    expect([facing.flip[rowOf(entity)], restsUntilMs(rules, entity)]).toEqual([1, Number.POSITIVE_INFINITY]);
  });
});
