import { expect, test } from 'vitest';
import { catalogue, loadDefinition, Simulation } from '../../engine/index.ts';
import { Bots } from '../../src/bots/bots.ts';
import { checkGame } from '../../src/check/check-game.ts';
import { hasExample, operationExample } from '../../src/language/example-game.ts';

const { actions, functions, triggers } = catalogue();
/** One of each family, because all of them would take a minute. */
const families = new Map(
  [...actions, ...functions].map((each) => [`${each.family} ${each.returns === undefined}`, each]),
);
const examples = [...families.values()].map(({ type }) => type);
/** Those whose example needed something special. */
const special = ['makePlayerSendChatMessage', 'savePlayerData', 'saveUnitData', 'makeUnitPickupItemAtSlot'];
const conditions = [{ operandType: 'boolean', operator: '==' }, true, true];
const about = new Set(['unused', 'unused-variable', 'unused-media']);

test.each([...examples, ...special, 'unitTouchesItem', 'itemIsUsed'])(
  'the example of %s runs without a fault',
  (type) => {
    const { document, script } = operationExample(type);
    const { game, issues } = loadDefinition(document);
    const found = [...issues, ...checkGame(game!)].filter(({ code }) => !about.has(code));
    expect(found.map(({ message }) => message)).toEqual([]);
    const sim = new Simulation(game!, { seed: 'reenact', limits: { entities: 300 } });
    const bots = new Bots(sim, { count: 2, seed: 'reenact', savedData: () => ({ persisted: {} }) });
    let shown: unknown;
    sim.on('output', (event) => {
      if (event.kind === 'ui.text' && event['target'] === 'scoreboard') shown = event['value'];
    });
    while (sim.tick < 45) {
      bots.beforeStep();
      sim.step();
    }
    expect(sim.faults()).toEqual([]);
    expect(script).toContain('scripts/example');
    if (actions.some((action) => action.type === type)) return;
    expect(shown).toMatch(type);
  },
);

test('every trigger that has an example fires in it', () => {
  const listener = (type: string) => ({ name: type, triggers: [{ type }], conditions, actions: [] });
  const { data } = JSON.parse(JSON.stringify(operationExample('gameStart').document));
  const hosts = {
    global: data,
    unit: data.unitTypes.human,
    item: data.itemTypes.apple,
    projectile: data.projectileTypes.arrow,
  };
  for (const host of Object.values(hosts)) host.scripts = { ...host.scripts };
  for (const { type, scopes } of triggers) for (const scope of scopes) hosts[scope].scripts[type] = listener(type);
  const fired = new Set<string>();
  const observer = (type: string): void => void fired.add(type);
  const sim = new Simulation(loadDefinition({ data }).game!, { seed: 'reenact', observer });
  const bots = new Bots(sim, { count: 3, seed: 'reenact', savedData: () => ({ persisted: {} }) });
  while (sim.tick < 200) {
    // Bots do so, too, but later.
    if (sim.tick === 150) sim.input({ kind: 'chat', player: 'bot2', text: 'hello' });
    if (sim.tick === 150) sim.input({ kind: 'leave', player: 'bot1' });
    bots.beforeStep();
    sim.step();
  }
  const missing = triggers.filter(({ type }) => !fired.has(type)).map(({ type }) => type);
  expect(missing).toEqual(triggers.filter((trigger) => !hasExample(trigger)).map(({ type }) => type));
  expect(sim.faults()).toEqual([]);
  expect(() => operationExample('renderTick')).toThrow('has no example');
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
