import { readdirSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RandomStream } from '../../engine/core/random.ts';
import {
  type Input,
  type JournalRecord,
  type LoadedGame,
  Simulation,
  type SimulationEvents,
  type SimulationOptions,
  type SnapshotError,
} from '../../engine/index.ts';
import { globalValue, insideOf } from '../../engine/internal.ts';
import { createUnit } from '../../engine/rules/lifecycle/create-unit.ts';
import { Kind } from '../../engine/world/entity.ts';
import { Bots } from '../../src/bots/bots.ts';
import { expectAlike } from '../support/alike.ts';
import { intricate } from '../support/intricate.ts';
import { lazily } from '../support/lazily.ts';
import { newHash } from '../support/new-hash.ts';
import { load, script, unitType } from '../support/play.ts';
import { runs } from '../support/property.ts';
import { sampleGame, samplesFolder } from '../support/samples.ts';
import { bodyOf, sealed } from '../support/sealed.ts';

const samples = readdirSync(samplesFolder).filter((file) => file.endsWith('.json'));

/** A play with bots that was never rewound: inputs and hashes of each tick, and snapshots of many. */
interface Recording {
  readonly inputs: ReadonlyMap<number, readonly Input[]>;
  readonly hashes: readonly string[];
  readonly snapshots: ReadonlyMap<number, Uint8Array>;
  readonly end: number;
}

function recorded(game: LoadedGame, ticks: number, every: number, options: SimulationOptions = {}): Recording {
  const sim = new Simulation(game, { seed: 'rewound', ...options });
  const inputs = new Map<number, readonly Input[]>();
  const hashes = [sim.hash()];
  const snapshots = new Map([[0, sim.snapshot()]]);
  const put = (record: JournalRecord): void => {
    if (record.kind === 'inputs') inputs.set(record.tick, record.inputs);
    if (record.kind === 'hash' && record.tick > 0) hashes.push(record.hash);
    if (record.kind === 'snapshot') snapshots.set(record.tick, record.bytes);
  };
  sim.journal(put, { snapshotTicks: every });
  const bots = new Bots(sim, { count: 5, seed: 'rewound' });
  while (sim.tick < ticks && !sim.ended) {
    bots.beforeStep();
    sim.step();
  }
  return { inputs, hashes, snapshots, end: sim.tick };
}

function goOn(sim: Simulation, { inputs }: Recording): void {
  for (const input of inputs.get(sim.tick + 1) ?? []) sim.input(input);
  sim.step();
}

describe('a play that is rewound again and again is the play that never was', () => {
  const cases = [...samples, 'intricate'].flatMap((file) => [[file, 'standard'] as const, [file, 'moddio'] as const]);
  test.each(cases)('%s, %s', (file, dialect) => {
    const game = file === 'intricate' ? intricate : sampleGame(file);
    const recording = recorded(game, 200, 20, { dialect });
    const random = new RandomStream(`${file} ${dialect}`);
    const sim = new Simulation(game, { seed: 'rewound', dialect });
    const moments = [...recording.snapshots.keys()];
    for (let i = 0; i < 12; i++) {
      const ticks = random.integer(0, 40);
      for (let n = 0; n < ticks && sim.tick < recording.end; n++) {
        goOn(sim, recording);
        expect(sim.hash(), `tick ${sim.tick}, after ${i} times`).toBe(recording.hashes[sim.tick]);
      }
      const moment = random.pick(moments)!;
      const bytes = recording.snapshots.get(moment)!;
      sim.rewind(bytes);
      const where = `tick ${moment}, time ${i}`;
      expect([sim.tick, sim.hash(), newHash(sim)], where).toEqual([
        moment,
        recording.hashes[moment],
        recording.hashes[moment],
      ]);
      expect(Buffer.compare(sim.snapshot(), bytes), where).toBe(0);
      if (i % 6 === 5) expectAlike(sim, Simulation.restore(game, bytes), where);
    }
  });

  test('also without a hash in between, and beside one that was restored', () => {
    const game = sampleGame('outbreak.json');
    const recording = recorded(game, 300, 50);
    const sim = new Simulation(game, { seed: 'rewound' });
    for (const from of [150, 0, 250, 50, 200, 100]) {
      const bytes = recording.snapshots.get(from)!;
      sim.rewind(bytes);
      const fresh = Simulation.restore(game, bytes);
      for (let i = 0; i < 50; i++) for (const each of [sim, fresh]) goOn(each, recording);
      expect(firstHashes(sim, fresh), `from ${from}`).toEqual([
        recording.hashes[from + 50],
        recording.hashes[from + 50],
      ]);
      expect(sim.view()).toEqual(fresh.view());
    }
  });
});

const firstHashes = (...sims: Simulation[]): string[] => sims.map((sim) => sim.hash());

describe('whatever happens after a moment', () => {
  const crowd = load({ unitTypes: { unit: unitType(), other: unitType({ cellSheet: undefined }) } });
  const act = fc.oneof(
    fc.record({ do: fc.constant('step' as const), ticks: fc.integer({ min: 1, max: 5 }) }),
    fc.record({
      do: fc.constant('units' as const),
      count: fc.integer({ min: 1, max: 12 }),
      type: fc.constantFrom('unit', 'other'),
    }),
    fc.record({ do: fc.constant('destroy' as const), which: fc.nat(20) }),
    fc.record({ do: fc.constant('push' as const), which: fc.nat(20), x: fc.integer({ min: -20, max: 20 }) }),
    fc.record({ do: fc.constant('join' as const) }),
    fc.record({ do: fc.constant('keep' as const) }),
    fc.record({ do: fc.constant('rewind' as const), which: fc.nat(20) }),
  );

  function perform(sim: Simulation, each: { readonly do: string; readonly [key: string]: unknown }): void {
    const { game, world } = insideOf(sim);
    const units = sim.units();
    const unit = units[(each['which'] as number) % Math.max(1, units.length)];
    if (each.do === 'step') sim.run({ ticks: each['ticks'] as number });
    else if (each.do === 'units') {
      const [owner] = world.lists[Kind.player]!.entries;
      const type = world.types.unit.get(each['type'] as string)!;
      for (let i = 0; i < (each['count'] as number); i++)
        createUnit(game, { type, owner: owner!, x: 300 + 20 * i, y: 400, angle: 0 });
    } else if (each.do === 'join') sim.join();
    else if (unit === undefined) return;
    else if (each.do === 'destroy') sim.edit.destroy(unit);
    else if (each.do === 'push') game.physics.setVelocity(unit.entity, each['x'] as number, 3);
  }

  test('a rewound simulation is one that was restored, now and later', () => {
    fc.assert(
      fc.property(fc.array(act, { minLength: 4, maxLength: 25 }), (acts) => {
        const sim = new Simulation(crowd, { seed: 1 });
        // Restored anew each time.
        let fresh = sim.fork();
        const kept = [sim.snapshot()];
        for (const each of acts) {
          if (each.do === 'keep') kept.push(sim.snapshot());
          else if (each.do === 'rewind') {
            const bytes = kept[each.which % kept.length]!;
            sim.rewind(bytes);
            fresh = Simulation.restore(crowd, bytes);
          } else for (const one of [sim, fresh]) perform(one, each);
          expect(sim.hash()).toBe(fresh.hash());
        }
        for (const one of [sim, fresh]) one.run({ ticks: 20 });
        expect(Buffer.compare(sim.snapshot(), fresh.snapshot())).toBe(0);
      }),
      runs(40),
    );
  });

  test('more entities than there was room for, and fewer again', () => {
    const sim = new Simulation(crowd, { seed: 1 });
    const before = sim.snapshot();
    const many = (): void => {
      for (let i = 0; i < 130; i++) perform(sim, { do: 'units', count: 10, type: 'unit' });
      sim.run({ ticks: 2 });
    };
    many();
    const crowded = sim.snapshot();
    const [hash] = firstHashes(sim);
    sim.rewind(before);
    expectAlike(sim, Simulation.restore(crowd, before), 'fewer');
    many();
    expect(sim.hash()).toBe(hash);
    sim.rewind(before);
    sim.rewind(crowded);
    expect(sim.hash()).toBe(hash);
    const small = new Simulation(crowd, { seed: 1 });
    small.rewind(crowded);
    expectAlike(small, Simulation.restore(crowd, crowded), 'more');
  });

  test('entities of other types have the ids of those that are no more', () => {
    const sim = new Simulation(crowd, { seed: 1 });
    sim.step();
    const before = sim.snapshot();
    perform(sim, { do: 'units', count: 3, type: 'unit' });
    sim.step();
    const [first] = sim.units();
    const after = sim.snapshot();
    sim.rewind(before);
    expect([first!.exists, sim.units().length]).toEqual([false, 0]);
    perform(sim, { do: 'units', count: 3, type: 'other' });
    sim.step();
    const [other] = sim.units();
    expect([other!.id, other!.type, other!.entity]).toEqual([first!.id, 'other', first!.entity]);
    expect(first!.exists).toBe(false);
    expect(() => first!.x).toThrow(expect.objectContaining({ code: 'entity-gone' }));
    sim.rewind(after);
    expect(sim.units().map(({ type }) => type)).toEqual(['unit', 'unit', 'unit']);
  });
});

describe('what hangs on a simulation', () => {
  test('handles of entities that both moments have go on, also where scripts hold them', () => {
    const sim = new Simulation(intricate, { seed: 1 });
    const ada = sim.join({ name: 'Ada' });
    sim.run({ ticks: 30 });
    const bytes = sim.snapshot();
    const { unit } = ada;
    const [rock] = sim.units({ type: 'rock' });
    const { x, y } = rock!;
    const last = globalValue(sim, 'last');
    sim.run({ ticks: 20 });
    expect(rock!.y).not.toBe(y);
    sim.rewind(bytes);
    expect([ada.exists, ada.name, ada.unit === unit, rock!.x, rock!.y]).toEqual([true, 'Ada', true, x, y]);
    expect(sim.find(unit!.id)).toBe(unit);
    expect(globalValue(sim, 'last')).toBe(last);
    expect(sim.units()).toContain(unit);
  });

  test('a player that had not joined yet can join again under the same handle', () => {
    const sim = new Simulation(intricate, { seed: 1 });
    const before = sim.snapshot();
    const ada = sim.join({ clientId: 'ada' });
    sim.step();
    expect(ada.exists).toBe(true);
    sim.rewind(before);
    expect(ada.exists).toBe(false);
    sim.join({ clientId: 'ada' });
    sim.step();
    expect(ada.exists).toBe(true);
  });

  test('listeners stay and are told; counts begin again', () => {
    const sim = new Simulation(sampleGame('outbreak.json'), { seed: 1 });
    const ticks: number[] = [];
    const moves: SimulationEvents['rewound'][] = [];
    let outputs = 0;
    sim.on('tick', (tick) => ticks.push(tick));
    sim.on('rewound', (detail) => moves.push(detail));
    sim.on('output', () => outputs++);
    sim.run({ ticks: 40 });
    const bytes = sim.snapshot();
    sim.run({ ticks: 20 });
    const before = outputs;
    sim.rewind(bytes);
    expect(outputs).toBe(before);
    sim.run({ ticks: 2 });
    expect(ticks.slice(-3)).toEqual([60, 41, 42]);
    expect(moves).toEqual([{ from: 60 }]);
    const fresh = Simulation.restore(sampleGame('outbreak.json'), bytes);
    fresh.run({ ticks: 2 });
    const { counts } = insideOf(sim).runtime;
    expect(counts).toEqual(insideOf(fresh).runtime.counts);
    expect(insideOf(sim).world.triggers.counts).toEqual(insideOf(fresh).world.triggers.counts);
    expect(sim.faults()).toEqual(fresh.faults());
  });

  test('inputs that wait are those of the snapshot', () => {
    const sim = new Simulation(intricate, { seed: 1 });
    sim.join({ name: 'early' });
    const bytes = sim.snapshot();
    sim.step();
    sim.join({ name: 'late' });
    sim.rewind(bytes);
    sim.step();
    const names = sim.players().map(({ name }) => name);
    expect([names.includes('early'), names.includes('late')]).toEqual([true, false]);
    expect(sim.join().clientId).toBe('p2');
  });

  test('a game that has ended goes on from before its end', () => {
    const game = load({ scripts: { end: script(['secondTick'], [{ type: 'endGame' }]) } });
    const sim = new Simulation(game, { seed: 1 });
    const before = sim.snapshot();
    sim.run({ seconds: 3 });
    const { tick } = sim;
    const ended = sim.snapshot();
    expect(sim.ended).toBe(true);
    sim.rewind(before);
    expect([sim.ended, sim.tick]).toEqual([false, 0]);
    sim.run({ seconds: 3 });
    expect([sim.ended, sim.tick]).toEqual([true, tick]);
    sim.rewind(before);
    sim.rewind(ended);
    expect(sim.ended).toBe(true);
  });

  test('a map that a script has changed is that of the definition again, and the other way round', () => {
    const sim = new Simulation(intricate, { seed: 1 });
    sim.join();
    const before = sim.snapshot();
    sim.run({ ticks: 60 });
    const changed = sim.snapshot();
    const { map } = insideOf(sim).world;
    expect(map.layers[0]!.isEdited).toBe(true);
    sim.rewind(before);
    expect([map.layers[0]!.isEdited, map.layers[0]!.tiles === sim.definition.map!.layers[0]!.data]).toEqual([
      false,
      true,
    ]);
    expect(insideOf(sim).game.physics.parts.walls.areOriginal).toBe(true);
    sim.rewind(changed);
    sim.run({ ticks: 60 });
    const fresh = Simulation.restore(intricate, changed);
    fresh.run({ ticks: 60 });
    expect(sim.hash()).toBe(fresh.hash());
  });
});

describe('a rewind that is refused changes nothing', () => {
  const game = sampleGame('outbreak.json');
  const shared = lazily(() => {
    const sim = new Simulation(game, { seed: 's' });
    const bots = new Bots(sim, { count: 4, seed: 's' });
    for (let i = 0; i < 200; i++) {
      bots.beforeStep();
      sim.step();
    }
    return { bytes: sim.snapshot() };
  });
  const codeOf = (work: () => void): string => {
    try {
      work();
      return 'none';
    } catch (error) {
      expect(error, String(error)).toBeInstanceOf(Error);
      return `${(error as SnapshotError).code}: ${(error as SnapshotError).message}`;
    }
  };

  test('damaged bytes, and such with a check sum to fit, are refused as a restore refuses them', () => {
    const { bytes } = shared();
    const sim = new Simulation(game, { seed: 's' });
    sim.run({ ticks: 50 });
    const before = sim.snapshot();
    const random = new RandomStream('rewound');
    const { start, end } = bodyOf(bytes);
    let refused = 0;
    for (let i = 0; i < 120; i++) {
      const changed = bytes.slice();
      for (let n = random.integer(1, 3); n > 0; n--) changed[random.integer(start, end - 1)] = random.integer(0, 255);
      const given = i % 10 === 0 ? changed : sealed(changed);
      let fresh: Simulation | undefined;
      const expected = codeOf(() => {
        fresh = Simulation.restore(game, given);
      });
      expect(
        codeOf(() => sim.rewind(given)),
        `change ${i}`,
      ).toBe(expected);
      if (fresh === undefined) {
        refused++;
        if (i % 5 === 0) expect(Buffer.compare(sim.snapshot(), before), `change ${i}`).toBe(0);
        continue;
      }
      for (const each of [sim, fresh]) each.run({ ticks: 2 });
      expect(sim.hash(), `change ${i}`).toBe(fresh.hash());
      sim.rewind(before);
    }
    expect(refused).toBeGreaterThan(30);
    const twin = Simulation.restore(game, before);
    for (const each of [sim, twin]) each.run({ ticks: 40 });
    expect(sim.hash()).toBe(twin.hash());
  });

  test('its own snapshots, once they were changed, are checked as all others', () => {
    const sim = new Simulation(game, { seed: 's' });
    sim.run({ ticks: 30 });
    const random = new RandomStream('own');
    const before = sim.hash();
    const kept = sim.snapshot();
    let refused = 0;
    for (let i = 0; i < 40; i++) {
      const own = sim.snapshot();
      sim.rewind(own);
      const { start, end } = bodyOf(own);
      for (let n = 0; n < 3; n++) own[random.integer(start, end - 1)] = random.integer(0, 255);
      own.set(sealed(own));
      const expected = codeOf(() => Simulation.restore(game, own));
      expect(
        codeOf(() => sim.rewind(own)),
        `change ${i}`,
      ).toBe(expected);
      if (expected === 'none') sim.rewind(kept);
      else refused++;
      expect(sim.hash(), `change ${i}`).toBe(before);
    }
    expect(refused).toBeGreaterThan(0);
  });

  test('nothing, and every cut', () => {
    const { bytes } = shared();
    const sim = new Simulation(game, { seed: 's' });
    const before = sim.hash();
    expect(codeOf(() => sim.rewind(new Uint8Array(0)))).toMatch(/^no-snapshot/);
    for (let length = 4; length < bytes.length; length += Math.ceil(length / 10))
      expect(codeOf(() => sim.rewind(bytes.slice(0, length)))).toMatch(/^(malformed|damaged|other-version)/);
    expect(sim.hash()).toBe(before);
  });

  test('snapshots of other games, seeds, dialects and limits', () => {
    const options = { seed: 's' };
    const sim = new Simulation(game, options);
    const before = sim.hash();
    const refusedOf = (from: Simulation): string => codeOf(() => sim.rewind(from.snapshot()));
    expect(refusedOf(new Simulation(intricate, options))).toMatch(/^other-definition/);
    expect(refusedOf(new Simulation(game, { seed: 't' }))).toMatch(/^other-options: .* another seed/);
    expect(refusedOf(new Simulation(game, { ...options, dialect: 'moddio' }))).toMatch(/another dialect/);
    expect(refusedOf(new Simulation(game, { ...options, limits: { timers: 7 } }))).toMatch(/another limit of timers/);
    expect(refusedOf(new Simulation(sampleGame('outbreak.json'), options))).toBe('none');
    expect(sim.hash()).toBe(before);
  });

  test('in the middle of a tick, while it is recorded, and with a world of planck', () => {
    const sim = new Simulation(game, { seed: 's' });
    const bytes = sim.snapshot();
    const codes: string[] = [];
    sim.observe(() => codes.push(codeOf(() => sim.rewind(bytes))));
    sim.step();
    sim.observe(undefined);
    expect(new Set(codes.map((code) => code.split(':')[0]))).toEqual(new Set(['in-a-tick']));
    const recorder = sim.journal(() => {});
    expect(codeOf(() => sim.rewind(bytes))).toMatch(/^is-recorded/);
    recorder.end();
    expect(codeOf(() => sim.rewind(bytes))).toBe('none');
    const compared = new Simulation(game, { seed: 's', physics: 'planck' });
    expect(codeOf(() => compared.rewind(bytes))).toMatch(/^bad-option/);
    expect(codeOf(() => sim.rewind('abc' as never))).toMatch(/^bad-value/);
    expect(codeOf(() => sim.rewind(bytes, { physics: 'grid' } as never))).toMatch(/^unknown-option/);
  });

  test('where the machine fails in the middle, the simulation says that it is of no use', () => {
    const sim = new Simulation(game, { seed: 's' });
    const bytes = sim.snapshot();
    const { physics } = insideOf(sim).game;
    physics.clear = () => {
      throw new Error('no memory');
    };
    expect(() => sim.rewind(bytes)).toThrow('no memory');
    for (const use of [() => sim.step(), () => sim.hash(), () => sim.snapshot(), () => sim.rewind(bytes)])
      expect(use).toThrow(expect.objectContaining({ code: 'unusable' }));
  });
});
