import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadDefinition, Simulation } from '../../engine/index.ts';
import { Bots } from '../../src/bots/bots.ts';
import { type BotGroup, readGroup } from '../../src/bots/groups.ts';
import { optionsOf } from '../../src/bots/objectives.ts';
import { ExpressionError } from '../../src/expression/expression-error.ts';

const path = 'templates/coins/game.json';
const { game } = loadDefinition(JSON.parse(readFileSync(path, 'utf8')));

/** Plays the first seconds of a round of Coins, in which the first to collect five wins. */
function round(groups: readonly BotGroup[], seconds: number): { readonly sim: Simulation; readonly bots: Bots } {
  const sim = new Simulation(game!, { seed: '74' });
  const bots = new Bots(sim, { ...optionsOf(groups, game!, 'standard'), seed: '74', tries: 4 });
  while (sim.tick < seconds * sim.rate) {
    bots.beforeStep();
    sim.step();
  }
  return { sim, bots };
}

test('a bot that plans collects more coins than one that wanders, in the same way each time', () => {
  const groups = [{ count: 1 }, { count: 1, objective: 'coins' }];
  const { sim, bots } = round(groups, 12);
  const coins = (bot: string) =>
    Number(
      sim
        .players()
        .find(({ clientId }) => clientId === bot)
        ?.attribute('coins'),
    );
  expect(coins('bot2')).toBeGreaterThan(coins('bot1'));
  expect(bots.decisions.count).toBeGreaterThan(5);
  expect(round(groups, 4).sim.hash()).toBe(round(groups, 4).sim.hash());
});

test('an objective is checked before anything is played', () => {
  expect(() => optionsOf([{ count: 1, objective: 'coinz' }], game!, 'standard')).toThrow(ExpressionError);
});

test('bots in a fork go on as the originals do', () => {
  const sim = new Simulation(game!, { seed: 'copies' });
  const bots = new Bots(sim, { count: 4, seed: 'copies' });
  const play = (on: Simulation, by: Bots, seconds: number): void => {
    for (let i = 0; i < seconds * on.rate; i++) {
      by.beforeStep();
      on.step();
    }
  };
  play(sim, bots, 20);
  const [one, two] = [sim.fork(), sim.fork()];
  const copies = [bots.copyIn(one, 'same'), bots.copyIn(two, 'same')] as const;
  play(one, copies[0], 10);
  play(two, copies[1], 10);
  expect(two.hash()).toBe(one.hash());
  // A key that the original holds is released by its copy: none walks into a wall for ever.
  const places = (on: Simulation) => on.units().map(({ x, y }) => `${Math.round(x)} ${Math.round(y)}`);
  const before = places(one);
  play(one, copies[0], 5);
  expect(places(one).filter((place, i) => place === before[i]).length).toBeLessThan(2);
});

test('groups of bots as text', () => {
  expect(readGroup('8')).toEqual({ count: 8 });
  expect(readGroup('3:winner:score - max(score of players)')).toEqual({
    count: 3,
    objective: 'score - max(score of players)',
  });
  expect(readGroup('1:winner: score')).toEqual({ count: 1, objective: 'score' });
  for (const text of ['', 'x', 'winner:', '-1', '2:', '1:score']) expect(readGroup(text)).toBeUndefined();
});
