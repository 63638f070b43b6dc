import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Trade } from '../../engine/components/trade.ts';
import { RandomStream } from '../../engine/core/random.ts';
import { engineVersion } from '../../engine/core/version.ts';
import {
  firstDifference,
  type Limits,
  type LoadedGame,
  loadDefinition,
  Simulation,
  SnapshotError,
} from '../../engine/index.ts';
import { createUnit } from '../../engine/rules/lifecycle/create-unit.ts';
import { EntityRef, globalValue, internalsOf, programsOfGame } from '../../engine/tools.ts';
import { Kind, rowOf } from '../../engine/world/entity.ts';
import { Bots } from '../../src/bots/bots.ts';
import { intricate } from '../support/intricate.ts';
import { lazily } from '../support/lazily.ts';
import { document, load, play } from '../support/play.ts';
import { isLong } from '../support/property.ts';
import { readRealGame, realGames, someRealGames } from '../support/real-games.ts';
import { sampleGame, samplesFolder } from '../support/samples.ts';
import { bodyOf, sealed } from '../support/sealed.ts';
import { SnapshotVerifier } from '../support/snapshot-verifier.ts';

const samples = readdirSync(samplesFolder).filter((file) => file.endsWith('.json'));

/**
 * A limit of entities that is enough for the samples. Each restored world allocates columns up to the limit, which
 * would take longer than playing.
 */
const small: Partial<Limits> = { entities: 1024 };

/** Plays with bots; every few ticks restores a twin from a snapshot and steps it. */
function heavily(
  game: LoadedGame,
  ticks: number,
  dialect: 'standard' | 'moddio',
  limits: Partial<Limits> = {},
  snapshotTicks = 1,
) {
  const sim = new Simulation(game, { seed: 'heavy', dialect, limits });
  const heavy = new SnapshotVerifier(game, () => sim);
  sim.journal(heavy.put, { hashTicks: 1, snapshotTicks });
  const bots = new Bots(sim, { count: 4, seed: 'heavy' });
  while (sim.tick < ticks && !sim.ended) {
    bots.beforeStep();
    sim.step();
  }
  return heavy;
}

function runWithBots(game: LoadedGame, ticks: number): Simulation {
  const sim = new Simulation(game, { seed: 's' });
  const bots = new Bots(sim, { count: 4, seed: 's' });
  for (let i = 0; i < ticks; i++) {
    bots.beforeStep();
    sim.step();
  }
  return sim;
}

describe('a game that is saved and restored while it is played stays the same', () => {
  const cases = samples.flatMap((file) => [
    [file, 'standard', isLong ? 401 : 60, isLong ? 3 : 1] as const,
    [file, 'moddio', isLong ? 200 : 30, isLong ? 3 : 1] as const,
  ]);
  test.each(cases)('%s, %s, %i ticks', (file, dialect, ticks, every) => {
    const { failure, ticksEqual } = heavily(sampleGame(file), ticks, dialect, small, every);
    expect(failure).toBeUndefined();
    expect(ticksEqual).toBeGreaterThan(0);
  });

  test('a game with all state that is easily forgotten', () => {
    const ticks = isLong ? 250 : 60;
    const { failure, ticksEqual } = heavily(intricate, ticks, 'standard', small);
    expect(failure).toBeUndefined();
    expect(ticksEqual).toBe(ticks - 1);
  });

  test.skipIf(realGames.length === 0)('games of other people (skipped where the folder is absent)', () => {
    for (const file of someRealGames(4)) {
      const { game } = loadDefinition(readRealGame(file));
      for (const dialect of ['standard', 'moddio'] as const) {
        expect(heavily(game!, 12, dialect).failure, `${file} ${dialect}`).toBeUndefined();
      }
    }
  });
});

describe('a restored simulation', () => {
  test('equals the original in every field, and its snapshot has the same bytes', () => {
    const sim = runWithBots(sampleGame('outbreak.json'), 500);
    const copy = sim.fork();
    expect(firstDifference(sim, copy)).toBeUndefined();
    expect(copy.hash()).toBe(sim.hash());
    expect(Buffer.compare(copy.snapshot(), sim.snapshot())).toBe(0);
  });

  test('a default that only one side has read is a later difference than a value that differs', () => {
    const sim = new Simulation(sampleGame('outbreak.json'), { seed: 1 });
    const copy = sim.fork();
    const { globals } = internalsOf(copy).world;
    const store = (name: string, value: unknown): void => {
      globals.values[globals.layout.slots.get(name)!] = value as never;
    };
    store('@timeSick', 10);
    expect(firstDifference(sim, copy)).toMatchObject({ path: 'variables/@timeSick/stored', right: '10' });
    store('zombies', 7);
    expect(firstDifference(sim, copy)).toEqual({ path: 'variables/zombies', left: '0', right: '7' });
  });

  test('keeps shared objects shared, cycles included, and keeps the sign of zero', () => {
    const sim = new Simulation(intricate, { seed: 1 });
    sim.run({ ticks: 3 });
    const copy = sim.fork();
    const list = globalValue(copy, 'list') as Record<string, unknown>;
    expect(globalValue(copy, 'same')).toBe(list);
    expect(list['ring']).toBe(list);
    expect(list).not.toBe(globalValue(sim, 'list'));
    expect(Object.is(globalValue(copy, 'zero'), globalValue(sim, 'zero'))).toBe(true);
    expect(list['b']).toEqual({ c: 'd' });
  });

  test('has one handle per entity', () => {
    const sim = new Simulation(intricate, { seed: 1 });
    sim.join({});
    sim.run({ ticks: 40 });
    const copy = sim.fork();
    const last = globalValue(copy, 'last');
    expect(last).toBeInstanceOf(EntityRef);
    expect(internalsOf(copy).world.ref((last as EntityRef).entity)).toBe(last);
  });

  test('has the pending inputs', () => {
    const sim = new Simulation(intricate, { seed: 1 });
    sim.join({ name: 'early' });
    const copy = sim.fork();
    sim.step();
    copy.step();
    expect(copy.hash()).toBe(sim.hash());
    expect(copy.join({}).clientId).toBe(sim.join({}).clientId);
  });

  test('behaves the same if more entities are created than initially fit', () => {
    const crowd = play({ unitTypes: { unit: { name: 'unit' } } });
    const more = (sim: Simulation): void => {
      const { game, world } = internalsOf(sim);
      const [owner] = world.lists[Kind.player]!.entries;
      const type = world.types.unit.get('unit')!;
      for (let i = 0; i < 700; i++) createUnit(game, { type, owner: owner!, x: i, y: 640, angle: 0 });
      sim.step();
    };
    // The capacities of the three differ, because each was forked at another time.
    more(crowd.sim);
    const early = crowd.sim.fork();
    for (const sim of [crowd.sim, early]) more(sim);
    const late = early.fork();
    for (const sim of [crowd.sim, early, late]) more(sim);
    expect([early.hash(), late.hash()]).toEqual([crowd.sim.hash(), crowd.sim.hash()]);
  });

  test('is independent of the original and of other games', () => {
    const alone = runWithBots(sampleGame('outbreak.json'), 300);
    for (let i = 0; i < 100; i++) alone.step();

    const sim = runWithBots(sampleGame('outbreak.json'), 300);
    const fork = sim.fork();
    const other = new Simulation(intricate, { seed: 5 });
    other.join({});
    for (let i = 0; i < 100; i++) {
      fork.join({ name: `intruder ${i}` });
      fork.step();
      sim.step();
      other.step();
      if (i === 50) programsOfGame(sampleGame('infection.json')).program('moddio');
    }
    expect(sim.hash()).toBe(alone.hash());
    expect(fork.hash()).not.toBe(sim.hash());
  });
});

describe('bytes that are not a snapshot of this game are rejected with the reason', () => {
  const game = sampleGame('outbreak.json');
  const shared = lazily(() => {
    const sim = runWithBots(sampleGame('outbreak.json'), 120);
    return { sim, bytes: sim.snapshot() };
  });

  function problemOf(changed: Uint8Array, into = game): string {
    try {
      Simulation.restore(into, changed);
      return 'none';
    } catch (error) {
      if (error instanceof SnapshotError) return error.code;
      throw error;
    }
  }

  test('the same document, loaded again, is accepted', () => {
    const { bytes } = shared();
    expect(problemOf(bytes)).toBe('none');
  });

  test('another definition', () => {
    const { bytes } = shared();
    expect(problemOf(bytes, intricate)).toBe('other-definition');
    expect(
      problemOf(
        bytes,
        sampleGame('outbreak.json', (data) => (data.variables.extra = { dataType: 'number' })),
      ),
    ).toBe('other-definition');
  });

  test('empty bytes, noise, and every truncation', () => {
    const { bytes } = shared();
    expect(problemOf(new Uint8Array(0))).toBe('no-snapshot');
    expect(problemOf(new Uint8Array(5000).fill(7))).toBe('no-snapshot');
    for (let length = 4; length < bytes.length; length += Math.ceil(length / 20)) {
      expect(problemOf(bytes.slice(0, length)), `${length} bytes`).toMatch(/malformed|damaged|other-version/);
    }
  });

  test('single changed bytes', () => {
    const { bytes } = shared();
    for (let at = 0; at < bytes.length; at += 97) {
      const changed = bytes.slice();
      changed[at]! ^= 1 + (at % 255);
      expect(problemOf(changed), `byte ${at}`).not.toBe('none');
    }
  });
});

describe('bytes that were forged, including the checksum', () => {
  const game = sampleGame('outbreak.json');
  const bytes = lazily(() => runWithBots(game, 200).snapshot());
  const random = new RandomStream('hostile');

  test('of another version: rejected, except for reading only', () => {
    const changed = bytes().slice();
    // Magic, the length of the version, the version.
    changed[4 + 1 + engineVersion.length - 1]! += 1;
    expect(() => Simulation.restore(game, sealed(changed))).toThrow(
      expect.objectContaining({
        code: 'other-version',
        message: expect.stringContaining(`this build of version ${engineVersion}.`),
      }),
    );
    const sim = Simulation.restore(game, sealed(changed), { ofAnyVersion: true });
    expect(sim.hash()).toBe(Simulation.restore(game, bytes()).hash());
  });

  test('of another layout: always rejected', () => {
    const changed = bytes().slice();
    changed[4 + 1 + engineVersion.length + 1]! ^= 1;
    for (const ofAnyVersion of [false, true]) {
      expect(() => Simulation.restore(game, sealed(changed), { ofAnyVersion })).toThrow(
        expect.objectContaining({ code: 'other-version', message: expect.stringContaining('another build') }),
      );
    }
  });

  test('with an entity of the wrong kind in a field', () => {
    const sim = runWithBots(game, 200);
    const { world } = internalsOf(sim);
    const [player] = sim.entities('player');
    const unit = sim.entities('unit').find((each) => world.components.inventory[rowOf(each)]!.heldItem !== 0)!;
    const state = world.components.inventory[rowOf(unit)]!;
    const owner = world.components.ownedUnits[rowOf(world.components.identity.owner[rowOf(unit)]!)]!;
    const { components } = world;
    const changes: [string, object, string | number, number][] = [
      ['a unit in a slot', state.slots, 0, unit],
      ['a unit in a hand', state, 'heldItem', unit],
      ['a player as a unit', owner.units, 0, player!],
      ['a unit to trade with', world.ensure(player!, Trade), 'partner', unit],
      ['a unit that owns a unit', components.identity.owner, rowOf(unit), unit],
      ['an entity twice in the order of all', world.order.entries, 0, world.order.entries[1]!],
      ['a player that ends', components.lifespan.deathTimeMs, rowOf(player!), 1],
    ];
    for (const [name, object, key, other] of changes) {
      const values = object as Record<string | number, unknown>;
      const value = values[key];
      values[key] = other;
      expect(() => Simulation.restore(game, sim.snapshot()), name).toThrow(
        expect.objectContaining({ code: 'malformed' }),
      );
      values[key] = value;
    }
    expect(sim.fork().hash()).toBe(sim.hash());
  });

  test('are rejected, or are a playable state', () => {
    const { start, end } = bodyOf(bytes());
    let refused = 0;
    const changes = isLong ? 400 : 80;
    for (let i = 0; i < changes; i++) {
      const changed = bytes().slice();
      for (let n = random.integer(1, 3); n > 0; n--) changed[random.integer(start, end - 1)] = random.integer(0, 255);
      let sim: Simulation;
      try {
        sim = Simulation.restore(game, sealed(changed));
      } catch (error) {
        expect(error, String(error)).toBeInstanceOf(SnapshotError);
        refused++;
        continue;
      }
      expect(() => sim.run({ ticks: 3 }), `change ${i}`).not.toThrow();
    }
    expect(refused).toBeGreaterThan(changes / 4);
  });
});

test('equivalent documents are one definition, others are not', () => {
  const same = loadDefinition(JSON.parse(JSON.stringify(document({}))));
  const bare = loadDefinition((document({}) as { data: unknown }).data);
  const sims = [load(), same.game!, bare.game!].map((game) => new Simulation(game).snapshot());
  expect(() => Simulation.restore(load(), sims[1]!)).not.toThrow();
  expect(() => Simulation.restore(load(), sims[2]!)).not.toThrow();
  const other = load({ variables: { a: { dataType: 'number' } } });
  expect(() => Simulation.restore(other, sims[0]!)).toThrow(/another definition/);
});

test('the game with all state that is easily forgotten really has it', () => {
  const sim = runWithBots(intricate, 50);
  expect(internalsOf(sim).world.map.layers[0]!.isEdited).toBe(true);
  expect(internalsOf(sim).world.timers.heap.length).toBeGreaterThan(0);
  expect(
    internalsOf(sim)
      .world.faults.list()
      .map(({ code, at }) => `${code} ${at}`),
  ).toEqual([]);
  expect(sim.entities('unit').length).toBeGreaterThan(5);
  expect(internalsOf(sim).game.physics.parts.space.contacts.count).toBeGreaterThan(0);
});

test('reused rows contain nothing of their previous entity', () => {
  const sim = new Simulation(intricate, { seed: 1 });
  sim.join({});
  sim.run({ ticks: 200 });
  const { components, entities } = internalsOf(sim).world;
  expect(
    entities.freeRows.every(
      (row) => rowOf(row) === row && components.transform.x[row] === 0 && components.identity.kind[row] === 0,
    ),
  ).toBe(true);
});
