import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beforeAll, describe, expect, test } from 'vitest';
import { type DialectName, type LoadedGame, Simulation, type TriggerObserver } from '../../engine/index.ts';
import { Bots } from '../../src/bots/bots.ts';
import { isLong } from '../support/property.ts';
import { sampleGame } from '../support/samples.ts';

/** Two games in one process share no state: each behaves as it does alone, whatever the other one does. */

const ticks = isLong ? 150 : 60;

interface Play {
  readonly game: LoadedGame;
  readonly seed: string;
  readonly dialect: DialectName;
}

/** A game with bots, and its hash after each tick. */
class Match {
  readonly hashes: string[] = [];
  private readonly sim: Simulation;
  private readonly bots: Bots;

  constructor({ game, seed, dialect }: Play, observer?: TriggerObserver) {
    this.sim = new Simulation(game, { seed, dialect, ...(observer === undefined ? {} : { observer }) });
    this.bots = new Bots(this.sim, { count: 6, seed });
  }

  get isOver(): boolean {
    return this.hashes.length === ticks;
  }

  step(): void {
    this.bots.beforeStep();
    this.sim.step();
    this.hashes.push(this.sim.hash());
  }

  play(): readonly string[] {
    while (!this.isOver) this.step();
    return this.hashes;
  }
}

const infection = sampleGame('infection.json');
const elimination = sampleGame('team-elimination.json');

describe.each([
  ['one game, one dialect', infection, infection, 'standard', 'standard'],
  ['one game, two dialects', elimination, elimination, 'standard', 'moddio'],
  ['two games', infection, elimination, 'moddio', 'standard'],
] as const)('two simulations: %s', (_, game, otherGame, dialect, otherDialect) => {
  const one: Play = { game, seed: 'one', dialect };
  const other: Play = { game: otherGame, seed: 'other', dialect: otherDialect };
  let alone: readonly string[];
  let otherAlone: readonly string[];
  beforeAll(() => {
    alone = new Match(one).play();
    otherAlone = new Match(other).play();
  });

  test('stepped alternately', () => {
    const [first, second] = [new Match(one), new Match(other)];
    while (!first.isOver) {
      first.step();
      second.step();
    }
    expect(first.hashes).toEqual(alone);
    expect(second.hashes).toEqual(otherAlone);
  });

  test('one stepped during a tick of the other', () => {
    const inner = new Match(other);
    let fired = 0;
    const outer = new Match(one, () => {
      if (!inner.isOver && fired++ % 3 === 0) inner.step();
    });
    outer.play();
    expect(inner.hashes.length).toBeGreaterThan(20);
    inner.play();
    expect(outer.hashes).toEqual(alone);
    expect(inner.hashes).toEqual(otherAlone);
  });
});

test('abandoned games are freed by a minor garbage collection', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options?: { readonly type: 'minor' }) => void;
  const buffers = (): number => process.memoryUsage().arrayBuffers;
  const sizeOfOne = (): number => {
    const before = buffers();
    new Simulation(infection, { seed: 1 });
    return buffers() - before;
  };
  sizeOfOne();
  collect();
  const before = buffers();
  const one = sizeOfOne();
  for (let i = 0; i < 4; i++) sizeOfOne();
  // The first collection only moves young objects.
  for (let i = 0; i < 3; i++) collect({ type: 'minor' });
  expect(buffers() - before).toBeLessThan(one);
});
