import { expect, test } from 'vitest';
import { catalogue, checkGame, loadDefinition, Simulation } from '../../engine/index.ts';
import { Bots } from '../../src/bots/bots.ts';
import { operationExample } from '../../src/language/example-game.ts';

const { actions, functions } = catalogue();
/** One of each family, because all of them would take a minute. */
const families = new Map(
  [...actions, ...functions].map((each) => [`${each.family} ${each.returns === undefined}`, each]),
);
const about = new Set(['unused', 'unused-variable', 'unused-media', 'no-game-start']);

test.each([...families.values()].map(({ type }) => type))('the example of %s runs without a fault', (type) => {
  const { document, script } = operationExample(type);
  const { game, issues } = loadDefinition(document);
  const found = [...issues, ...checkGame(game!)].filter(({ code }) => !about.has(code));
  expect(found.map(({ message }) => message)).toEqual([]);
  const sim = new Simulation(game!, { seed: 'reenact', limits: { entities: 300 } });
  const bots = new Bots(sim, { count: 2, seed: 'reenact' });
  while (sim.tick < 45) {
    bots.beforeStep();
    sim.step();
  }
  expect(sim.faults()).toEqual([]);
  expect(script).toContain('scripts/example');
});

test.each(['item', 'projectile'] as const)('the example of a function about %ss has one to show', (kind) => {
  const name = { item: 'allItems', projectile: 'allProjectiles' }[kind];
  const sim = new Simulation(loadDefinition(operationExample(name).document).game!);
  sim.join({ name: 'Ann' });
  const shown = new Set<number>();
  for (let tick = 0; tick < 60; tick++) {
    sim.step();
    shown.add(sim.view()[`${kind}s`].length);
  }
  expect(Math.max(...shown)).toBeGreaterThan(0);
  expect(sim.find('i1') === undefined).toBe(kind === 'projectile');
});

test('an unknown operation is refused with a suggestion', () => {
  expect(() => operationExample('moveEntitty')).toThrow('Did you mean "moveEntity"?');
});
