import { expect, test } from 'vitest';
import { components } from '../../engine/components/index.ts';
import { type DialectName, type LoadedGame, Simulation } from '../../engine/index.ts';
import { insideOf } from '../../engine/internal.ts';
import { applyInput, type Input } from '../../engine/sim/input.ts';
import { schedule, type TickSystem } from '../../engine/sim/schedule.ts';
import { TickRunner } from '../../engine/sim/tick.ts';
import { Bots } from '../../src/bots/bots.ts';
import { intricate } from '../support/intricate.ts';
import { sampleGame } from '../support/samples.ts';

type Touched = Map<string, Set<string>>;

/** `system reads|writes component`, of what a system touches itself: not what the scripts do that run in it. */
function touchedBy(game: LoadedGame, dialect: DialectName, ticks: number): Touched {
  const sim = new Simulation(game, { seed: 'touch', dialect });
  const touched: Touched = new Map(
    schedule.flatMap(({ name }) => [`${name} reads`, `${name} writes`].map((key) => [key, new Set()])),
  );
  let system: TickSystem | undefined;
  const note = (how: 'reads' | 'writes', component: string): void => {
    if (system !== undefined && (insideOf(sim).runtime as unknown as { depth: number }).depth === 0)
      touched.get(`${system.name} ${how}`)!.add(component);
  };
  for (const [component, store] of Object.entries(insideOf(sim).world.components)) {
    // Values by row are watched as a whole: what is read of a record may be written, too.
    const [owner, fields]: [Record<string, object>, string[]] = Array.isArray(store)
      ? [insideOf(sim).world.components as never, [component]]
      : [store as never, Object.keys(store)];
    for (const field of fields) {
      owner[field] = new Proxy(owner[field]!, {
        get(target, key) {
          const value = Reflect.get(target, key, target);
          if (typeof value === 'function') return value.bind(target);
          if (typeof key === 'string' && key !== 'length') note('reads', component);
          return value;
        },
        set(target, key, value) {
          note('writes', component);
          return Reflect.set(target, key, value, target);
        },
      });
    }
  }
  const bots = new Bots(sim, { count: 6, seed: 'touch' });
  let inputs: Input[] = [];
  sim.input = (input) => void inputs.push(input);
  const runner = new TickRunner(insideOf(sim).game, insideOf(sim).runtime, insideOf(sim).rates, (input) =>
    applyInput(insideOf(sim).game, input),
  );
  for (let tick = 0; tick < ticks; tick++) {
    bots.beforeStep();
    const given = inputs;
    inputs = [];
    runner.run(given, (next) => {
      system = next;
    });
    system = undefined;
  }
  return touched;
}

const plays: [LoadedGame, DialectName][] = [
  ...['outbreak', 'team-elimination'].flatMap((name) =>
    (['standard', 'moddio'] as const).map((dialect): [LoadedGame, DialectName] => [
      sampleGame(`${name}.json`),
      dialect,
    ]),
  ),
  [intricate, 'standard'],
];

test('systems touch the components that they say they touch', () => {
  const wrong = new Set<string>();
  let seen = 0;
  for (const [game, dialect] of plays) {
    const touched = touchedBy(game, dialect, 60);
    for (const system of schedule) {
      for (const how of ['reads', 'writes'] as const) {
        const declared = new Set(system[how].map(({ name }) => name));
        if (how === 'reads') for (const { name } of system.writes) declared.add(name);
        for (const name of touched.get(`${system.name} ${how}`)!) {
          seen++;
          if (!declared.has(name)) wrong.add(`${system.name} ${how} ${name}`);
        }
      }
    }
  }
  expect([...wrong].sort()).toEqual([]);
  expect(seen).toBeGreaterThan(50);
});

test('each system has a name of its own and names components of the world', () => {
  const known = new Set(Object.values(components.all));
  expect(new Set(schedule.map(({ name }) => name)).size).toBe(schedule.length);
  for (const { name, reads, writes } of schedule) {
    for (const list of [reads, writes]) {
      expect(
        list.filter((each) => !known.has(each as never)),
        name,
      ).toEqual([]);
      expect(new Set(list).size, name).toBe(list.length);
    }
  }
});
