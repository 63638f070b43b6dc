import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import * as surface from '../../engine/index.ts';
import { internalsOf } from '../../engine/tools.ts';
import { load, play, unitType } from '../support/play.ts';

/** The values that programs can import. Every addition is a promise of compatibility. */
const promised = [
  'EntityHandle',
  'EntityReader',
  'Replay',
  'ReplayError',
  'Simulation',
  'SnapshotError',
  'TooManyBytes',
  'UsageError',
  'actionAt',
  'arrangeJournal',
  'catalogue',
  'currentLocation',
  'defaultLimits',
  'definitionHash',
  'definitionSchema',
  'dialectNamed',
  'dialects',
  'everyNode',
  'faultCodes',
  'firstDifference',
  'htmlMembers',
  'isDialectName',
  'isInput',
  'isLimits',
  'issueCodes',
  'listensTo',
  'literalText',
  'loadDefinition',
  'observeScripts',
  'outputKinds',
  'phases',
  'playCounts',
  'readSnapshot',
  'scriptsIn',
  'skipCodes',
  'triggerTypes',
  'usageCodes',
];

test('the library exports its public surface and no internals', () => {
  expect(Object.keys(surface).sort()).toEqual(promised);
});

/** Everything that is reachable from a value through members, whether types allow it or not. */
function reachable(from: object): Set<unknown> {
  const found = new Set<unknown>([from]);
  for (const each of found) {
    if (typeof each !== 'object' || each === null || ArrayBuffer.isView(each)) continue;
    for (const key of Reflect.ownKeys(each)) found.add(Reflect.getOwnPropertyDescriptor(each, key)?.value);
  }
  return found;
}

test('the world is not reachable through members of a simulation, a handle or the editor', () => {
  const { sim } = play({ unitTypes: { unit: unitType() } });
  const unit = sim.edit.createUnit({ type: 'unit', x: 100, y: 100 });
  const { world, game, runtime } = internalsOf(sim);
  for (const given of [sim, unit, sim.edit, sim.units()]) {
    const all = reachable(given);
    for (const hidden of [world, game, runtime, game.physics, world.components]) expect(all).not.toContain(hidden);
  }
});

test('printing a simulation is short', () => {
  const { sim } = play({ unitTypes: { unit: unitType() } });
  expect(inspect(sim, { depth: 1 }).length).toBeLessThan(2000);
});

test('an observer reads the simulation from its first trigger on and cannot step it', () => {
  const seen: unknown[] = [];
  const attempts: unknown[] = [];
  const sim = new surface.Simulation(load({ unitTypes: { unit: unitType() } }), {
    observer: (trigger, _scope, _entity, _payload, of) => {
      if (trigger !== 'gameStart') return;
      seen.push([of.tick, of.units().length, of.players().length]);
      try {
        of.step();
      } catch (error) {
        attempts.push((error as surface.UsageError).code);
      }
    },
  });
  expect(seen).toEqual([[0, 0, 10]]);
  expect(attempts).toEqual(['in-a-tick']);
  sim.step();
  expect(sim.tick).toBe(1);
});
