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

test('an unknown operation is refused with a suggestion', () => {
  expect(() => operationExample('moveEntitty')).toThrow('Did you mean "moveEntity"?');
});
