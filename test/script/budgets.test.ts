import { describe, expect, test } from 'vitest';
import { type DialectName, defaultLimits, type Limits, Simulation } from '../../engine/index.ts';
import { internalsOf } from '../../engine/tools.ts';
import { load, script, unitType } from '../support/play.ts';
import { call, increase, type Json, later, repeat } from './forms-scene.ts';

/** A script that exceeds a limit once a second, with the expected fault. */
interface Breach {
  readonly actions: readonly unknown[];
  readonly limit: number;
  /** Code and place of the one fault. */
  readonly fault: readonly [code: string, at: string];
  readonly scripts?: Json;
  /** Whether the script continues after the action that exceeded the limit: only the action has no effect. */
  readonly goesOn?: true;
}

const computer = { function: 'computerPlayer', number: 1 };
const variable = (variableName: string) => ({ function: 'getVariable', variableName });
const set = (variableName: string, value: unknown): Json => ({ type: 'setVariable', variableName, value });
const make: Json = {
  type: 'createUnitAtPosition',
  unitType: 'unit',
  entity: computer,
  angle: 0,
  position: { x: 300, y: 300 },
};
const last = { function: 'getLastCreatedUnit' };
const health = (value: number): Json => ({
  type: 'setEntityAttribute',
  attribute: 'health',
  value,
  entity: last,
});

/** One for each limit. `go` runs every second; after the exceeded limit it would increase `after`. */
const breaches: Readonly<Record<keyof Limits, Breach>> = {
  actionsPerTick: {
    actions: [repeat(1000, increase('n'))],
    limit: 100,
    fault: ['limit-actions', 'scripts/go/actions/0/actions/0'],
  },
  loopIterations: {
    actions: [{ type: 'while', conditions: [], actions: [increase('n')] }],
    limit: 50,
    fault: ['limit-loop', 'scripts/go/actions/0'],
  },
  scriptDepth: {
    actions: [call('deeper')],
    limit: 10,
    scripts: { deeper: script([], [increase('n'), call('deeper')]) },
    fault: ['limit-depth', 'scripts/deeper/actions/1'],
    goesOn: true,
  },
  timers: {
    actions: [repeat(5, later(100_000, increase('n')))],
    limit: 3,
    fault: ['limit-timers', 'scripts/go/actions/0/actions/0'],
    goesOn: true,
  },
  entities: {
    actions: [repeat(40, make)],
    limit: 30,
    fault: ['limit-entities', 'scripts/go/actions/0/actions/0'],
    goesOn: true,
  },
  players: {
    actions: [repeat(5, { type: 'addBotPlayer', name: 'bot' })],
    limit: 2,
    fault: ['limit-entities', 'scripts/go/actions/0/actions/0'],
    goesOn: true,
  },
  stringLength: {
    actions: [repeat(10, set('text', { function: 'concat', textA: variable('text'), textB: variable('text') }))],
    limit: 100,
    fault: ['limit-string', 'scripts/go/actions/0/actions/0'],
    goesOn: true,
  },
  queuedTriggers: {
    actions: [make, repeat(20, health(0), health(50))],
    limit: 6,
    scripts: { zero: script('unitAttributeBecomesZero', [increase('n')]) },
    fault: ['limit-triggers', 'scripts/go/actions/1/actions/0'],
    goesOn: true,
  },
  // Bodies collide in the physics step, in which no script runs.
  contacts: { actions: [repeat(10, make)], limit: 5, fault: ['limit-contacts', 'engine'], goesOn: true },
  pairs: { actions: [repeat(10, make)], limit: 20, fault: ['limit-pairs', 'engine'], goesOn: true },
};

function game(name: keyof Limits) {
  const { actions, scripts = {} } = breaches[name];
  return load({
    variables: {
      n: { dataType: 'number', default: 0 },
      after: { dataType: 'number', default: 0 },
      text: { dataType: 'string', default: 'abc' },
    },
    unitTypes: { unit: unitType() },
    scripts: {
      start: script('gameStart', [set('n', 0), set('after', 0)]),
      go: script('secondTick', [...actions, increase('after')]),
      ...scripts,
    },
  });
}

const ticks = 70;
const restoredAt = 30;

/** The result of a play: its state after each tick, and its faults. */
function playOn(sim: Simulation) {
  const hashes: string[] = [];
  while (sim.tick < ticks) {
    sim.step();
    hashes.push(`${sim.tick} ${sim.hash()}`);
  }
  const faults = sim.faults().map(({ code, at, count }) => ({ code, at, count }));
  return { hashes, faults };
}

describe.each<DialectName>(['standard', 'moddio'])('in %s', (dialect) => {
  test.each(Object.keys(breaches) as (keyof Limits)[])(
    'exceeding %s is one coded fault with its location, and deterministic',
    (name) => {
      const { limit, fault, goesOn = false } = breaches[name];
      const options = { seed: 'budgets', dialect, limits: { ...defaultLimits, [name]: limit } };
      const begin = () => new Simulation(game(name), options);
      const first = begin();
      const whole = playOn(first);
      expect(whole.faults.map(({ code, at }) => [code, at])).toEqual([fault]);
      expect(whole.faults[0]!.count).toBeGreaterThan(1);
      expect((first.variable('after') as number) > 0).toBe(goesOn);
      const second = begin();
      expect(playOn(second)).toEqual(whole);
      expect([...internalsOf(second).runtime.counts]).toEqual([...internalsOf(first).runtime.counts]);
      const half = begin();
      half.run({ ticks: restoredAt });
      const restored = Simulation.restore(game(name), half.snapshot());
      const rest = playOn(restored);
      expect(rest.faults).toEqual(whole.faults);
      expect(rest.hashes).toEqual(whole.hashes.slice(restoredAt));
    },
  );
});
