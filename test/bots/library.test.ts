import { expect, test } from 'vitest';
import { Simulation } from '../../engine/index.ts';
import { type AddBotsOptions, addBots } from '../../src/bots/library.ts';
import { joinAs, load, unitType } from '../support/play.ts';

const game = load({ unitTypes: { unit: unitType() }, scripts: { join: joinAs('unit') } });

function played(bots: number | readonly string[], options?: AddBotsOptions): Simulation {
  const sim = new Simulation(game, { seed: 1 });
  const added = addBots(sim, game, bots, options);
  for (let tick = 0; tick < 200; tick++) {
    added.beforeStep();
    sim.step();
  }
  return sim;
}

const people = (sim: Simulation) => sim.players({ where: ({ controlledBy }) => controlledBy === 'human' }).length;

test('bots join and play, equally with equal seeds', () => {
  expect(people(played(3))).toBe(3);
  expect(played(3, { seed: 5 }).hash()).toBe(played(3, { seed: 5 }).hash());
  expect(played(3, { seed: 5 }).hash()).not.toBe(played(3, { seed: 6 }).hash());
});

test('groups say how many bots play for what', () => {
  const sim = played(['1', 'winner:coins'], { tries: 2 });
  expect(people(sim)).toBe(2);
});

test('wrong groups and expressions are refused', () => {
  const sim = new Simulation(game);
  expect(() => addBots(sim, game, ['looser:coins'])).toThrow('winner:EXPRESSION, not "looser:coins"');
  expect(() => addBots(sim, game, ['winner:coinz'])).toThrow('Did you mean "coins"?');
});
