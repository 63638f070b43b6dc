import { describe, expect, test } from 'vitest';
import { loadDefinition, Simulation } from '../../../engine/index.ts';
import { insideOf, insideOfGame } from '../../../engine/internal.ts';
import { draw, ruleChance } from './chance.ts';
import { definition } from './support.ts';

describe('the rule of chance', () => {
  // Computed apart from this program, with integers of 32 bits and doubles.
  test.each([
    [1, 0, 0, 0, 0.5523936683312058],
    [1, 0, 1, 0, 0.8997382665984333],
    [1, 20, 3, 0, 0.7000786510761827],
    [1, 20, 0, 1, 0.5875872562173754],
    [1, 20, 3, 2, 0.1322349035181105],
    [2, 1200, 500, 0, 0.8856404523830861],
  ])('salt %d, tick %d, actions %d, stream %d', (salt, tick, actions, stream, expected) => {
    expect(draw(salt, tick, actions, stream)).toBe(expected);
  });
});

describe('chance of one simulation', () => {
  const game = insideOfGame(loadDefinition(definition).game!).watched('actions');
  const between = (r: number) => Math.floor(r * 1_000_000);

  function ruled(): Simulation {
    return new Simulation(game, {
      dialect: 'moddio',
      observer: (type, _scope, _entity, _payload, sim) => {
        if (type === 'gameStart') ruleChance(insideOf(sim).world, 1, () => {});
      },
    });
  }

  test('follows the rule from the scripts of gameStart on; comments do not count as actions', () => {
    const sim = ruled();
    expect(sim.variable('first')).toBe(between(draw(1, 0, 1, 0)));
    sim.run({ seconds: 1 });
    expect(sim.variable('last')).toBe(between(draw(1, 20, 1, 0)));
  });

  test('leaves that of other simulations alone', () => {
    const before = new Simulation(game, { seed: 1, dialect: 'moddio' });
    ruled();
    const after = new Simulation(game, { seed: 1, dialect: 'moddio' });
    expect(after.variable('first')).toBe(before.variable('first'));
    expect(after.variable('first')).not.toBe(between(draw(1, 0, 1, 0)));
  });

  test('draws of every form lie in their ranges', () => {
    const sim = ruled();
    const stream = insideOf(sim).world.random.stream('item');
    for (let tick = 1; tick < 200; tick++) {
      insideOf(sim).world.clock.tick = tick;
      expect(stream.next()).toBe(draw(1, tick, 0, 2));
      expect([-1, 0, 1]).toContain(stream.integer(-1, 1));
      expect(stream.between(3, 4)).toBeCloseTo(3 + draw(1, tick, 0, 2), 12);
      expect(['a', 'b']).toContain(stream.pick(['a', 'b']));
      expect(stream.chance(1)).toBe(true);
      expect(stream.chance(0)).toBe(false);
    }
  });

  test('a stream without a number is refused', () => {
    expect(() => insideOf(ruled()).world.random.stream('weather')).toThrow('no number for the stream "weather"');
  });
});
