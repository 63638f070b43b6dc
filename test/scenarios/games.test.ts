import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { type DialectName, type LoadedGame, loadDefinition, Simulation } from '../../engine/index.ts';
import { internalsOf } from '../../engine/tools.ts';
import { Bots } from '../../src/bots/bots.ts';
import { checkGame } from '../../src/check/check-game.ts';
import { isLong } from '../support/property.ts';

const folder = fileURLToPath(new URL('../../scenarios/games/', import.meta.url));
const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
const dialects: readonly DialectName[] = ['standard', 'moddio'];

const document = (file: string): unknown => JSON.parse(readFileSync(`${folder}${file}`, 'utf8'));
function gameOf(file: string): LoadedGame {
  const { game } = loadDefinition(document(file));
  if (game === undefined) throw new Error(`${file} is no definition.`);
  return game;
}

test('every sample is described', () => {
  const readme = readFileSync(`${folder}README.md`, 'utf8');
  expect(files.filter((file) => !readme.includes(file))).toEqual([]);
});

describe.each(files)('%s', (file) => {
  test('has the envelope of the service', () => {
    expect(document(file)).toEqual({ gameJson: { status: 'success', data: expect.any(Object) } });
  });

  test.each(dialects)('has no issues (%s)', (dialect) => {
    const { game, issues } = loadDefinition(document(file));
    expect([...issues, ...checkGame(game!, dialect)]).toEqual([]);
  });
});

const seconds = isLong ? 180 : 25;

/** Scripts by place: how often each ran with sixteen bots. */
function playWithBots(file: string, dialect: DialectName): { sim: Simulation; runs: ReadonlyMap<string, number> } {
  const sim = new Simulation(gameOf(file), { seed: '2', dialect });
  const bots = new Bots(sim, { count: 16, seed: '2' });
  for (let tick = 0; tick < seconds * sim.rate; tick++) {
    bots.beforeStep();
    sim.step();
  }
  const runs = new Map(
    internalsOf(sim).runtime.program.scripts.map(({ place, index }) => [place, internalsOf(sim).runtime.runs[index]!]),
  );
  return { sim, runs };
}

describe.each(files.filter((file) => file !== 'outbreak.json'))('%s, with sixteen bots', (file) => {
  const plays = new Map<DialectName, ReturnType<typeof playWithBots>>();
  beforeAll(() => {
    for (const dialect of dialects) plays.set(dialect, playWithBots(file, dialect));
  });

  test.each(dialects)('has no faults (%s)', (dialect) => {
    const { sim } = plays.get(dialect)!;
    expect(internalsOf(sim).world.faults.list()).toEqual([]);
    expect(sim.nowMs).toBe(seconds * 1000);
  });

  // Something rare in a game may happen in one of the two plays only.
  test.runIf(isLong)('runs all its scripts in three minutes (npm run test:all)', () => {
    const [standard, moddio] = dialects.map((dialect) => plays.get(dialect)!.runs);
    expect([...standard!].filter(([place, count]) => count === 0 && moddio!.get(place) === 0)).toEqual([]);
  });

  test('does not accumulate entities', () => {
    for (const { sim } of plays.values()) {
      expect(sim.entities('item').length).toBeLessThan(200);
      expect(sim.entities('unit').length).toBeLessThan(60);
    }
  });
});

describe.each(isLong ? dialects : (['standard'] as const))(
  'outbreak.json, two minutes with eight bots (%s)',
  (dialect) => {
    const states: { readonly state: unknown; readonly second: number }[] = [];
    let sim: Simulation;

    beforeAll(() => {
      sim = new Simulation(gameOf('outbreak.json'), { seed: 'harbour', dialect });
      const bots = new Bots(sim, { count: 8, seed: 'harbour' });
      for (let tick = 0; tick < 120 * sim.rate; tick++) {
        bots.beforeStep();
        sim.step();
        const state = sim.variable('state');
        if (state !== states.at(-1)?.state) states.push({ state, second: Math.round(sim.nowMs / 1000) });
      }
    });

    const runs = (place: string): number => {
      const script = internalsOf(sim).runtime.program.scripts.find((each) => each.place === place);
      if (script === undefined) throw new Error(`There is no ${place}.`);
      return internalsOf(sim).runtime.runs[script.index]!;
    };

    test('a round has the phases calm, outbreak and end, and then the next one starts', () => {
      const cycle = ['preoutbreak', 'postoutbreak', 'gameover'];
      expect(states.map(({ state }) => state)).toEqual(states.map((_, index) => cycle[index % 3]));
      expect(states.slice(0, 2)).toEqual([
        { state: 'preoutbreak', second: 0 },
        { state: 'postoutbreak', second: 15 },
      ]);
      expect(sim.variable('round')).toBeGreaterThanOrEqual(3);
      expect(runs('scripts/everySecond')).toBe(120);
    });

    test('people fall sick, turn into zombies, and are human again in the next round', () => {
      expect(runs('unitTypes/human/scripts/fallSick')).toBeGreaterThanOrEqual(2);
      expect(runs('unitTypes/sick/scripts/turn')).toBeGreaterThanOrEqual(2);
      expect(runs('unitTypes/zombie/scripts/returnToLife')).toBeGreaterThanOrEqual(2);
      expect(internalsOf(sim).world.faults.list()).toEqual([]);
    });

    test('items are spawned, picked up and used, and medicine does not accumulate', () => {
      expect(runs('scripts/pickUp')).toBeGreaterThan(0);
      expect(runs('unitTypes/human/scripts/startUsing')).toBeGreaterThan(0);
      expect(runs('scripts/medicineTaken')).toBeGreaterThan(0);
      expect(sim.entities('item').length).toBeLessThan(60);
    });

    test('players are informed about events', () => {
      const { counts } = internalsOf(sim).world.outbox;
      for (const kind of ['ui.text', 'chat', 'camera', 'ui.floatingText', 'effect'] as const) {
        expect(counts.get(kind) ?? 0, kind).toBeGreaterThan(0);
      }
    });

    test('dogs wander about', () => {
      expect(runs('unitTypes/dog/scripts/bark')).toBeGreaterThan(0);
    });
  },
);
