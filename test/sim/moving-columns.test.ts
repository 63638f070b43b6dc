import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type DialectName, Simulation } from '../../engine/index.ts';
import { Bots } from '../../src/bots/bots.ts';
import { caseScripts, effectCases, inputsOf } from '../rules/effect-cases.ts';
import { ActionGame } from '../script/actions/action-game.ts';
import { actionTables } from '../script/actions/cases/index.ts';
import { actionsOf, play, scriptsOfGame } from '../script/actions/harness.ts';
import { columnsMove } from '../support/moving-columns.ts';
import { sampleGame, samplesFolder } from '../support/samples.ts';

/** What `playAll` finds while columns stay, and while everything that may make them grow replaces them. */
function expectSame<T>(playAll: () => T): void {
  const still = playAll();
  columnsMove();
  expect(playAll()).toEqual(still);
}

test('an action does the same if the entities that it creates make the columns grow', () => {
  const cases = Object.values(actionTables).flatMap((table) => Object.entries(table));
  const done = cases.flatMap(([type, rows]) => rows.flatMap((row) => ('refused' in row ? [] : [[type, row] as const])));
  expectSame(() => done.map(([type, row]) => [type, play(row, actionsOf(type, row))]));
});

test.each(['standard', 'moddio'] as const)(
  'a rule of %s does the same if the entities that it creates make the columns grow',
  (name) => {
    const rows = Object.entries(effectCases).flatMap(([rule, rows]) => rows.map((row) => [rule, row] as const));
    expectSame(() =>
      rows.map(([rule, row]) => {
        const dialect: DialectName = row.dialect ?? name;
        const game = new ActionGame({ ...scriptsOfGame, ...caseScripts }, row.data, { dialect });
        row.arrange?.(game);
        for (const input of inputsOf(row)) game.sim.input(input);
        game.sim.run({ ticks: row.ticks ?? 1 });
        return [rule, game.sim.hash(), game.outputs, game.fired];
      }),
    );
  },
);

test.each(readdirSync(samplesFolder).filter((name) => name.endsWith('.json')))(
  '%s is the same game if every new entity makes the columns grow',
  (file) => {
    const game = sampleGame(file);
    expectSame(() => {
      const sim = new Simulation(game);
      const bots = new Bots(sim, { count: 6, seed: 'bots' });
      const hashes: string[] = [];
      for (let tick = 0; tick < 200; tick++) {
        bots.beforeStep();
        sim.step();
        hashes.push(sim.hash());
      }
      const fork = sim.fork();
      const restored = Simulation.restore(game, sim.snapshot());
      for (const copy of [sim, fork, restored]) copy.run({ ticks: 20 });
      return [...hashes, sim.hash(), fork.hash(), restored.hash()];
    });
  },
);
