import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { type LoadedGame, loadDefinition, Simulation } from '../../engine/index.ts';
import { internalsOf, programsOfGame } from '../../engine/tools.ts';
import { Bots } from '../../src/bots/bots.ts';
import { document } from '../support/play.ts';
import { isLong } from '../support/property.ts';

const ticks = isLong ? 300 : 120;
const outbreak: unknown = JSON.parse(
  readFileSync(new URL('../../scenarios/games/outbreak.json', import.meta.url), 'utf8'),
);

function loaded(data: unknown = outbreak): LoadedGame {
  const { game } = loadDefinition(data);
  if (game === undefined) throw new Error('The sample game does not load.');
  return game;
}

/** A game with bots that is stepped by hand. */
class Match {
  readonly sim: Simulation;
  readonly hashes: string[] = [];
  private readonly bots: Bots;

  constructor({ seed = 'seed', botSeed = 'bots', game = loaded() } = {}) {
    this.sim = new Simulation(game, { seed });
    this.bots = new Bots(this.sim, { count: 8, seed: botSeed });
  }

  step(): void {
    this.bots.beforeStep();
    this.sim.step();
    this.hashes.push(this.sim.hash());
  }

  /** Hashes after each tick. */
  play(): readonly string[] {
    for (let i = 0; i < ticks; i++) this.step();
    return this.hashes;
  }
}

describe('a busy game', () => {
  let first: Match;
  beforeAll(() => {
    first = new Match();
    first.play();
  });

  test('is busy', () => {
    expect(new Set(first.hashes).size).toBe(ticks);
    expect(first.sim.entities('unit').length).toBeGreaterThan(8);
    expect(internalsOf(first.sim).runtime.actionCounts().size).toBeGreaterThan(20);
  });

  test('is the same at every tick with the same seed and the same inputs', () => {
    expect(new Match().play()).toEqual(first.hashes);
  });

  test('is the same if both simulations share one loaded definition', () => {
    const game = loaded();
    expect(new Match({ game }).play()).toEqual(first.hashes);
    expect(new Match({ game }).play()).toEqual(first.hashes);
  });

  test('differs from the first tick with another seed', () => {
    const other = new Match({ seed: 'other' });
    other.step();
    expect(other.hashes[0]).not.toBe(first.hashes[0]);
  });

  test('differs with other inputs', () => {
    expect(new Match({ botSeed: 'others' }).play().at(-1)).not.toBe(first.hashes.at(-1));
  });

  test('is not influenced by loading definitions and ending other games meanwhile', () => {
    const match = new Match();
    for (let i = 0; i < ticks; i++) {
      if (i % 50 === 7)
        programsOfGame(loaded(document({ defaultData: { frameRate: 1 + (i % 100) } }))).program('moddio');
      if (i % 100 === 9) new Simulation(loaded(), { seed: i, dialect: 'moddio' }).run({ ticks: 3 });
      match.step();
    }
    expect(match.hashes).toEqual(first.hashes);
  });

  test('is not influenced by reading its state', () => {
    const match = new Match();
    let failures = 0;
    match.sim.on('error', () => failures++);
    match.sim.observe(() => {
      throw new Error('An observer that fails.');
    });
    match.sim.on('output', () => {
      throw new Error('A listener that fails.');
    });
    match.sim.observePhases(() => {});
    for (let i = 0; i < ticks; i++) {
      if (i % 100 === 3) {
        match.sim.snapshot();
        for (const name of internalsOf(match.sim).world.globals.layout.names) match.sim.variable(name);
      }
      match.step();
    }
    expect(match.hashes).toEqual(first.hashes);
    expect(failures).toBeGreaterThan(ticks / 6);
  });

  test('is not influenced by a listener that tries to step, save or hash it during a tick', () => {
    const match = new Match();
    const { sim } = match;
    const wishes = [
      () => sim.step(),
      () => sim.snapshot(),
      () => sim.hash(),
      () => sim.fork(),
      () => internalsOf(sim).state(),
    ];
    const refused = new Set<number>();
    sim.on('output', ({ tick }) => {
      const wish = tick % wishes.length;
      try {
        wishes[wish]!();
      } catch (error) {
        refused.add(wish);
        expect(String(error)).toContain('between two ticks');
      }
    });
    expect(match.play()).toEqual(first.hashes);
    expect(refused.size).toBe(wishes.length);
  });
});
