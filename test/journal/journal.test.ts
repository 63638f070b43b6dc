import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  arrangeJournal,
  firstDifference,
  type Journal,
  type JournalRecord,
  Replay,
  Simulation,
  UsageError,
} from '../../engine/index.ts';
import { internalsOf, rowOf } from '../../engine/tools.ts';
import { Bots } from '../../src/bots/bots.ts';
import { Debugger, debug } from '../../src/journal/debugger.ts';
import { explainDivergence, findFirstDivergence } from '../../src/journal/divergence.ts';
import { frameOf } from '../../src/journal/frames.ts';
import { journalBytes, journalStart, readJournalBytes } from '../../src/journal/journal-bytes.ts';
import { JournalWriter, readJournal } from '../../src/journal/journal-file.ts';
import { lazily } from '../support/lazily.ts';
import { isLong } from '../support/property.ts';
import { sampleGame } from '../support/samples.ts';

const game = sampleGame('outbreak.json');
const ticks = 400;

interface Recorded {
  readonly records: JournalRecord[];
  readonly journal: Journal;
  readonly sim: Simulation;
}

function record(options: { seed?: string; ticks?: number; snapshotTicks?: number; bots?: number } = {}): Recorded {
  const sim = new Simulation(game, { seed: options.seed ?? 'j' });
  const records: JournalRecord[] = [];
  const recorder = sim.journal((each) => records.push(each), {
    hashTicks: 1,
    snapshotTicks: options.snapshotTicks ?? 100,
  });
  const bots = new Bots(sim, { count: options.bots ?? 5, seed: 'j' });
  while (sim.tick < (options.ticks ?? ticks)) {
    bots.beforeStep();
    sim.step();
  }
  recorder.end();
  return { records, journal: arrangeJournal(records)!, sim };
}

const recording = lazily(record);

/** Replays with rules that remove a point of health from an entity in one tick. */
function recordedByOtherRules(tick: number): Journal {
  const { world } = internalsOf(recording().sim);
  const sim = new Simulation(game, { seed: recording().journal.head.seed });
  const records: JournalRecord[] = [];
  const recorder = sim.journal((each) => records.push(each), { hashTicks: 1, snapshotTicks: 100 });
  while (sim.tick < ticks) {
    for (const input of recording().journal.inputs.get(sim.tick + 1) ?? []) sim.input(input);
    if (sim.tick === tick) {
      const health = world.types.unit.list[0]!.attributes.offsets.get('health')!;
      internalsOf(sim).world.attributes.value[
        internalsOf(sim).world.components.attributes.start[rowOf(sim.entities('unit')[0]!)]! + health
      ]! -= 1;
    }
    sim.step();
  }
  recorder.end();
  return arrangeJournal(records)!;
}

function bytesOf(records: readonly JournalRecord[]): Uint8Array {
  return Uint8Array.from([journalStart(), ...records.map(frameOf)].flatMap((bytes) => [...bytes]));
}

describe('a journal as bytes', () => {
  test('holds every record as it was, numbers and texts included', () => {
    const strange: JournalRecord = {
      kind: 'inputs',
      tick: 3,
      inputs: [
        { kind: 'mouse', player: 'p1', x: 1e-300, y: -1234.5678901234567 },
        { kind: 'chat', player: 'p1', text: 'ö 漢 🙂 \u0000' },
        { kind: 'data', player: 'p1', data: { list: [1, null, true, 2 ** 53, Number.NaN], nested: { '': '' } } },
      ],
    };
    const records = [...recording().records, strange];
    const read = readJournalBytes(bytesOf(records));
    expect(read?.lostBytes).toBe(0);
    expect(read?.records.map(plain)).toEqual(records.map(plain));
  });

  test('is readable up to the last complete record, wherever it was cut', () => {
    const few = record({ ticks: 6, snapshotTicks: 0, bots: 2 }).records;
    const whole = bytesOf(few);
    const ends = [journalStart().length];
    for (const each of few) ends.push(ends.at(-1)! + frameOf(each).length);
    for (let length = journalStart().length; length <= whole.length; length++) {
      const read = readJournalBytes(whole.slice(0, length))!;
      expect(read.records).toHaveLength(ends.filter((end) => end <= length).length - 1);
    }
    for (let length = 0; length < journalStart().length; length++)
      expect(readJournalBytes(whole.slice(0, length))).toBeUndefined();
  });

  test('ends where it was damaged, and never throws', () => {
    const whole = bytesOf(recording().records);
    for (let at = journalStart().length; at < whole.length; at += 1013) {
      const changed = Uint8Array.from(whole);
      changed[at]! ^= 0x55;
      const read = readJournalBytes(changed)!;
      expect(read.lostBytes).toBeGreaterThan(0);
      expect(read.records.length).toBeLessThan(recording().records.length);
    }
    expect(readJournalBytes(new Uint8Array([1, 2, 3]))).toBeUndefined();
  });

  test('refuses complete records with invalid contents', () => {
    const nonsense = [
      { kind: 'inputs', tick: 1, inputs: [{ kind: 'chat', player: 5 }] },
      { kind: 'hash', tick: -1, hash: 'x' },
      { kind: 'hash' },
    ];
    for (const each of nonsense) {
      const read = readJournalBytes(bytesOf([recording().records[0]!, each as unknown as JournalRecord]))!;
      expect(read.records).toHaveLength(1);
    }
  });

  test.each([
    { version: 1 },
    { seed: undefined },
    { definitionHash: null },
    { source: 5 },
    { dialect: 'latin' },
    { epochMs: Number.NaN },
    { rate: 0 },
    { rate: Number.POSITIVE_INFINITY },
  ])('refuses a header with %j', (odd) => {
    const [head] = recording().records;
    expect(readJournalBytes(bytesOf([{ ...head, ...odd } as unknown as JournalRecord]))?.records).toEqual([]);
    expect(readJournalBytes(bytesOf([{ ...head, source: 'hill.json' } as JournalRecord]))?.records).toHaveLength(1);
  });

  test('refuses a header with excessive or missing limits', () => {
    const [head] = recording().records;
    const { limits } = recording().journal.head;
    const { players: _players, ...fewer } = limits;
    for (const odd of [{ ...limits, entities: 2e8 }, { ...limits, timers: -1 }, fewer, null, { ...limits, more: 1 }]) {
      expect(readJournalBytes(bytesOf([{ ...head, limits: odd } as unknown as JournalRecord]))?.records).toEqual([]);
    }
    expect(readJournalBytes(bytesOf([head!]))?.records).toHaveLength(1);
  });

  test('can be written to a file and read again', () => {
    const path = join(mkdtempSync(join(tmpdir(), 'reenact-journal-')), 'play');
    const writer = new JournalWriter(path);
    for (const each of recording().records) writer.put(each);
    writer.close();
    expect(readFileSync(path)).toHaveLength(writer.bytesWritten);
    expect(readJournal(path)?.journal.hashes).toEqual(recording().journal.hashes);
    writeFileSync(path, 'no journal');
    expect(readJournal(path)).toBeUndefined();
  });
});

function plain(each: JournalRecord): unknown {
  return each.kind === 'snapshot' ? { ...each, bytes: [...each.bytes] } : each;
}

describe('inputs in a journal', () => {
  test("are copies of the host's objects", () => {
    const sim = new Simulation(game, { seed: 'x' });
    const { clientId } = sim.join({});
    const element = { list: [1] };
    sim.input({ kind: 'htmlClick', player: clientId, element });
    element.list.push(2);
    sim.step();
    const { clientData, player } = internalsOf(sim).world.components;
    const row = player.findIndex((each) => each?.clientId === clientId);
    expect(clientData[row]!.clicked).toEqual({ list: [1] });
  });

  test('are converted to values that a journal can store exactly', () => {
    const records: JournalRecord[] = [];
    const sim = new Simulation(game, { seed: 'x' });
    sim.journal((each) => records.push(each));
    const { clientId } = sim.join({});
    sim.step();
    sim.input({ kind: 'mouse', player: clientId, x: -0, y: 5 });
    sim.input({ kind: 'chat', player: clientId, text: 'half \ud83d' });
    sim.input({ kind: 'data', player: clientId, data: { absent: undefined, call: () => 1, ['__proto__']: 1 } });
    sim.step();
    const read = arrangeJournal(readJournalBytes(bytesOf(records))!.records)!;
    const replay = new Replay(game, read);
    replay.seek(2);
    expect(replay.sim.hash()).toBe(sim.hash());
  });
});

describe('a replay', () => {
  test('reaches every recorded hash', () => {
    const replay = new Replay(game, recording().journal);
    for (;;) {
      expect(replay.difference()).toBeUndefined();
      if (replay.isAtEnd) break;
      replay.step();
    }
    expect(replay.tick).toBe(ticks);
    expect(replay.sim.hash()).toBe(recording().sim.hash());
  });

  test('can seek to any tick in both directions with equal states', () => {
    const replay = new Replay(game, recording().journal, { keyframeTicks: 50, snapshotTicks: 10 });
    for (const tick of [399, 7, 250, 249, 0, 101, 100, 99, 400]) {
      replay.seek(tick);
      expect(replay.tick).toBe(tick);
      expect(replay.sim.hash(), `tick ${tick}`).toBe(recording().journal.hashes.get(tick));
    }
    expect([9, 10, 11, 49, 50, 399].map((tick) => replay.startBefore(tick + 1))).toEqual([0, 10, 10, 40, 50, 390]);
  });

  test('of a recording that started later starts with its snapshot', () => {
    const sim = new Simulation(game, { seed: 'late' });
    sim.join({});
    sim.run({ ticks: 50 });
    const records: JournalRecord[] = [];
    const recorder = sim.journal((each) => records.push(each));
    sim.join({});
    sim.run({ ticks: 50 });
    recorder.end();
    const replay = new Replay(game, arrangeJournal(records)!);
    expect(replay.tick).toBe(50);
    replay.seek(100);
    expect(replay.sim.hash()).toBe(sim.hash());
  });

  test('for another game is refused', () => {
    expect(() => new Replay(sampleGame('infection.json'), recording().journal)).toThrow(/another definition/);
  });

  test('of a truncated journal plays up to its end', () => {
    const cut = arrangeJournal(recording().records.slice(0, Math.floor(recording().records.length / 2)))!;
    expect(cut.isComplete).toBe(false);
    const replay = new Replay(game, cut);
    replay.seek(cut.lastTick);
    expect(replay.difference()).toBeUndefined();
  });
});

describe('a change by the editor', () => {
  const edited = lazily(() => {
    const sim = new Simulation(game, { seed: 'j' });
    const records: JournalRecord[] = [];
    const recorder = sim.journal((each) => records.push(each), { hashTicks: 1, snapshotTicks: 10 });
    const edit = (): void => {
      sim.edit.setGlobal('timeLeft', 40 + sim.tick);
      sim.edit.createUnit({ type: sim.units()[0]!.type!, x: 99, y: sim.tick }, sim.players()[0]);
      const unit = sim.units({ near: { x: 99, y: sim.tick, radius: 1 } })[0]!;
      sim.edit.setAttribute(unit, Object.keys(unit.attributes)[0]!, 3);
    };
    edit();
    sim.run({ ticks: 10 });
    // An edit after the snapshot of the same tick, which therefore does not contain it.
    edit();
    sim.run({ ticks: 25 });
    recorder.end();
    const read = readJournalBytes(journalBytes(records))!;
    expect(read.lostBytes).toBe(0);
    return { sim, records, journal: arrangeJournal(read.records)! };
  });

  test('is replayed, at the start and in the middle', () => {
    const { sim, journal } = edited();
    const replay = new Replay(game, journal);
    expect(replay.sim.variable('timeLeft')).toBe(40);
    while (!replay.isAtEnd) {
      replay.step();
      expect(replay.difference()).toBeUndefined();
    }
    expect(replay.sim.hash()).toBe(sim.hash());
  });

  test.each([10, 0, 35, 9, 11, 20])('exists at tick %i from any direction', (tick) => {
    const { journal } = edited();
    const replay = new Replay(game, journal);
    replay.seek(30);
    replay.seek(tick);
    expect(replay.difference()).toBeUndefined();
  });

  test('is an entry of some bytes, with the hash of the state that all of one tick leave', () => {
    const { records } = edited();
    const ofStart = records
      .slice(
        0,
        records.findIndex(({ tick }) => tick > 0),
      )
      .map(({ kind }) => kind);
    expect(ofStart).toEqual(['head', 'hash', 'edit', 'edit', 'edit', 'hash']);
    for (const record of records) if (record.kind === 'edit') expect(frameOf(record).length).toBeLessThan(160);
  });

  test('is repeated with another seed', () => {
    const replay = new Replay(game, edited().journal, { seed: 'other' });
    replay.seek(10);
    expect(replay.sim.variable('timeLeft')).toBe(50);
  });

  test('that is impossible with another seed is an error that says so', () => {
    const { journal } = edited();
    const edits = new Map([[0, [{ change: ['destroy', { $entity: 'u999' }] } as const]]]);
    const replay = (): Replay => new Replay(game, { ...journal, edits });
    expect(replay).toThrow(expect.objectContaining({ code: 'no-edit' }));
  });

  test('of a recording that was cut off after it is part of the play', () => {
    const { records } = edited();
    const lastEdit = records.findLastIndex(({ kind }) => kind === 'edit');
    const replay = new Replay(game, arrangeJournal(records.slice(0, lastEdit + 1))!);
    replay.seek(10);
    expect(replay.sim.variable('timeLeft')).toBe(50);
    expect(replay.difference()).toBeUndefined();
  });

  test.each(['constructor', 'fly', 'toString'])(
    'by a method that the editor does not have (%s) is no record',
    (method) => {
      const { records } = edited();
      const forged = records.map((each) => (each.kind === 'edit' ? { ...each, change: [method, 1] } : each));
      const read = readJournalBytes(journalBytes(forged as JournalRecord[]))!;
      expect(read.lostBytes).toBeGreaterThan(0);
      expect(read.records.some(({ kind }) => kind === 'edit')).toBe(false);
    },
  );

  test('that throws is not recorded', () => {
    const records: JournalRecord[] = [];
    const sim = new Simulation(game, { seed: 'j' });
    const recorder = sim.journal((each) => records.push(each));
    expect(() => sim.edit.setVariable(sim.units()[0]!, 'no such variable', 1)).toThrow(UsageError);
    expect(() => sim.edit.runScript('no such script')).toThrow(UsageError);
    recorder.end();
    expect(records.filter(({ kind }) => kind === 'edit')).toEqual([]);
  });
});

describe('a comparison of journals', () => {
  test.each([
    ['before a snapshot', 150],
    ['on a snapshot', 200],
  ])('%s', (_name, tick) => {
    // A key was pressed that the journal does not contain.
    const inputs = new Map(recording().journal.inputs);
    const player = [...inputs.values()].flat().find(({ kind }) => kind === 'join') as { clientId: string };
    inputs.set(tick, [...(inputs.get(tick) ?? []), { kind: 'mouse', player: player.clientId, x: 77, y: 78 }]);
    const replay = new Replay(game, { ...recording().journal, inputs });
    let divergence = replay.difference();
    while (divergence === undefined && !replay.isAtEnd) {
      replay.step();
      divergence = replay.difference();
    }
    expect(divergence?.tick).toBe(tick);
    const { field, fieldTick } = explainDivergence(game, recording().journal, replay, divergence!);
    expect(fieldTick).toBe(tick);
    expect(field?.path).toMatch(/^(entities|variables)\//);
    expect(field?.left).not.toBe(field?.right);
  });

  test.runIf(isLong)('compares a recording of another version at its next snapshot (test:all)', () => {
    const other = record({ seed: 'other version' });
    const hashes = new Map([...recording().journal.hashes].filter(([tick]) => tick < 120));
    for (const [tick, hash] of other.journal.hashes) if (tick >= 120) hashes.set(tick, hash);
    const snapshots = [
      ...recording().journal.snapshots.filter(({ tick }) => tick < 120),
      ...other.journal.snapshots.filter(({ tick }) => tick >= 120),
    ];
    const journal = { ...recording().journal, hashes, snapshots };
    const replay = new Replay(game, { ...recording().journal });
    replay.seek(120);
    const told = explainDivergence(game, journal, replay, {
      tick: 120,
      expected: hashes.get(120)!,
      actual: replay.sim.hash(),
    });
    expect(told.fieldTick).toBe(200);
    expect(told.field).toBeDefined();
  });

  test('finds differences between seeds and dialects, and none between equal plays', () => {
    const side = (options = {}) => ({
      loaded: game,
      journal: recording().journal,
      replay: new Replay(game, recording().journal, options),
    });
    expect(findFirstDivergence(side(), side(), [])).toBeUndefined();
    const seeds = findFirstDivergence(side(), side({ seed: 'another' }), []);
    expect(seeds?.field?.path).toBeDefined();
    const beyond = findFirstDivergence(side(), side({ seed: 'another' }), ['random']);
    expect(beyond?.field?.path).not.toMatch(/^random/);
    expect(findFirstDivergence(side(), side({ dialect: 'moddio' }), [])?.found).toBe('played');
  });

  test.runIf(isLong)('finds where recordings of other versions differ (test:all)', () => {
    const side = (journal: Journal) => ({ loaded: game, journal, replay: new Replay(game, journal) });
    const earlier = recordedByOtherRules(130);
    const told = findFirstDivergence(side(recording().journal), side(earlier), []);
    expect(told).toMatchObject({ tick: 131, fieldTick: 200, found: 'recorded' });
    expect(told?.field?.path).toMatch(/^entities\/.+\/health\/value$/);
    const replay = new Replay(game, earlier);
    replay.seek(131);
    expect(explainDivergence(game, earlier, replay, replay.difference()!)).toMatchObject({ tick: 131, fieldTick: 200 });
    const withoutSnapshots = { ...earlier, snapshots: [] };
    expect(findFirstDivergence(side(recording().journal), side(withoutSnapshots), [])).toMatchObject({
      tick: 131,
      field: undefined,
      found: 'recorded',
    });
  });

  test('names the path of a changed field', () => {
    const sim = new Simulation(game, { seed: 1 });
    sim.join({});
    sim.run({ ticks: 60 });
    const copy = sim.fork();
    const unit = copy.entities('unit')[0]!;
    internalsOf(copy).world.components.transform.x[unit & 0xfffff]! += 1e-9;
    expect(firstDifference(sim, copy)?.path).toMatch(/^entities\/u\d+ \(.+\)\/transform\/x$/);
  });
});

test('a debugger steps, goes back, stops at breakpoints and shows state', () => {
  const session = new Debugger(game, recording().journal);
  expect(session.where()).toMatch(/^tick 0 of 400/);
  expect(session.answer('step 10')).toMatch(/^tick 10 /);
  expect(session.answer('back 3')).toMatch(/^tick 7 /);
  expect(session.answer('back')).toMatch(/^tick 6 /);
  expect(session.answer('goto 300')).toContain(recording().journal.hashes.get(300));
  expect(session.answer('goto 0')).toMatch(/^tick 0 /);
  expect(session.answer('break secondTick')).toContain('secondTick');
  expect(session.answer('run')).toMatch(/^tick (20|30|60) .*\nbreakpoint: secondTick/);
  expect(session.answer('clear')).toBe('no breakpoints');
  expect(session.answer('break when players >= 3')).toContain('players');
  session.answer('goto 0');
  expect(session.answer('run')).toMatch(/breakpoint: when players >= 3\n {2}players is 3/);
  expect(session.answer('break nothingKnown')).toMatch(/no trigger/);
  expect(session.answer('break when )')).not.toMatch(/^break/);
  expect(session.answer('inspect raw state')).toBe('no path of the state starts with "state"');
  expect(session.answer('inspect raw variables/state')).toMatch(/^variables\/state = /);
  expect(session.answer('dance')).toBe('unknown command "dance"; help lists the commands');
  expect(session.answer('help')).toMatch(/^ {2}step \[n\] .*\n {2}back \[n\] /);
  const here = session.where();
  for (const nonsense of ['step x', 'step -1', 'back 1.5']) {
    expect(session.answer(nonsense)).toMatch(/is not a number of ticks/);
  }
  expect(session.answer('goto there')).toBe('goto needs the number of a tick, such as goto 240');
  expect(session.answer('break')).toMatch(/^break needs/);
  expect(session.answer('break when')).toBe('"break when" needs a condition');
  expect(session.answer('break when nobodyKnowsThis > 1')).toMatch(
    /^Unknown name "nobodyKnowsThis"\..*\n {2}nobodyKnowsThis > 1\n {2}\^$/,
  );
  expect(session.answer('inspect')).toMatch(/^inspect needs/);
  expect(session.where()).toBe(here);
  expect(session.answer('back 99999')).toMatch(/^tick 0 /);
  expect(session.answer('goto 99999')).toMatch(/^tick 400 /);
  expect(session.answer('clear')).toBe('no breakpoints');
  expect(session.answer('run')).toMatch(/end of the journal$/);
});

describe('a debugger shows', () => {
  const at = (tick: number): Debugger => {
    const session = new Debugger(game, recording().journal);
    session.answer(`goto ${tick}`);
    return session;
  };

  test('why a value is what it is, one write deeper each time', () => {
    const session = at(290);
    const first = session.answer('why timeLeft');
    expect(first).toMatch(/^timeLeft is 1 at tick 290 .*\n {2}tick 280 .*: 2 → 1\n {4}by set timeLeft = /);
    expect(first).not.toContain('tick 260');
    expect(session.answer('why')).toContain('tick 260 (13.00 s): 3 → 2');
    expect(session.answer('why timeLefd')).toMatch(
      /^Unknown name "timeLefd"\. Did you mean "timeLeft"\?\n {2}timeLefd\n/,
    );
    session.answer('back');
    expect(session.answer('why')).toMatch(/^why needs an expression/);
    expect(session.where()).toMatch(/^tick 289 /);
  });

  test('answers within the width of a terminal, indented as before, with a prompt', async () => {
    const written: string[] = [];
    async function* input() {
      yield new TextEncoder().encode('goto 290\nwhy timeLeft\nquit\n');
    }
    const write = (text: string) => written.push(text);
    await debug(game, recording().journal, { input: input(), write, screen: { write, columns: 60 } });
    const text = written.join('');
    const lines = text.split('\n');
    expect(text.match(/^> /gm)!.length).toBe(3);
    expect(lines.filter((line) => line.length > 60)).toEqual([]);
    expect(text).toMatch(/\n {2}tick 280 .*: 2 → 1\n {4}by set timeLeft = /);
  });

  test('the writes of a value up to now', () => {
    const lines = at(70).answer('writes timeLeft').split('\n');
    expect(lines.map((line) => line.replace(/ by .*/, ''))).toEqual([
      'tick 20 (1.00 s): 15 → 14',
      'tick 40 (2.00 s): 14 → 13',
      'tick 60 (3.00 s): 13 → 12',
    ]);
    expect(at(400).answer('writes timeLeft')).toMatch(/^tick 20 /);
    expect(at(10).answer('writes timeLeft')).toBe('timeLeft has not changed');
    expect(at(10).answer('writes')).toMatch(/^writes needs/);
  });

  test('the last tick at which a condition was true', () => {
    const session = at(350);
    expect(session.answer('back until state == "preoutbreak"')).toMatch(/^tick 299 /);
    expect(session.answer('back until timeLeft == 3')).toMatch(/^tick 259 /);
    expect(session.answer('back until timeLeft == 16')).toBe('timeLeft == 16 was not true at any earlier tick');
    expect(session.answer('back until )')).toContain(')');
    expect(session.where()).toMatch(/^tick 259 /);
  });

  test('breakpoints also stop a run that goes back: triggers, scripts, conditions and values', () => {
    const session = at(300);
    session.answer('break when timeLeft == 3');
    expect(session.answer('run back')).toMatch(/^tick 240 .*\nbreakpoint: when timeLeft == 3\n {2}timeLeft is 3$/);
    session.answer('goto 259');
    session.answer('clear');
    session.answer('break when timeLeft falls');
    expect(session.answer('run back')).toMatch(/^tick 240 .*\nbreakpoint: when timeLeft falls/);
    expect(session.answer('run')).toMatch(/^tick 260 /);
    session.answer('clear');
    session.answer('break every second');
    expect(session.answer('run back')).toMatch(/^tick 240 .*\nbreakpoint: script "every second"$/);
    session.answer('clear');
    session.answer('break secondTick');
    expect(session.answer('run back')).toMatch(/^tick 220 .*\nbreakpoint: secondTick$/);
    session.answer('clear');
    expect(session.answer('run back')).toMatch(/^tick 0 .*\nstart of the journal$/);
  });

  test('a condition when it becomes true, and not as long as it is', () => {
    const session = at(0);
    session.answer('break when timeLeft < 12');
    expect(session.answer('run')).toMatch(/^tick 80 .*\nbreakpoint: when timeLeft < 12\n {2}timeLeft is 11$/);
    expect(session.answer('run')).toMatch(/end of the journal$/);
    expect(session.answer('run back')).toMatch(/^tick 80 .*\nbreakpoint: /);
  });

  test('a breakpoint wherever it is on the way back', () => {
    const session = at(400);
    session.answer('break when tick == 100');
    // 300 ticks earlier, where the debugger goes on from an earlier snapshot.
    expect(session.answer('run back')).toMatch(/^tick 100 .*\nbreakpoint: when tick == 100/);
  });

  test('with the letters of gdb and lldb', () => {
    const session = at(0);
    expect(session.answer('b secondTick')).toBe('breakpoint at secondTick');
    expect(session.answer('c')).toMatch(/^tick 20 .*\nbreakpoint: secondTick$/);
    expect(session.answer('n')).toMatch(/^tick 21 /);
    expect(session.answer('s 4')).toMatch(/^tick 25 /);
    expect(session.answer('rs')).toMatch(/^tick 24 /);
    expect(session.answer('rc')).toMatch(/^tick 20 .*\nbreakpoint: secondTick$/);
    expect(session.answer('p timeLeft')).toBe('timeLeft is 14');
    expect(session.answer('d')).toBe('no breakpoints');
    expect(session.answer('help')).toMatch(/b = break, .*p = inspect/);
  });

  test('an entity by its id or name', () => {
    const session = at(400);
    const unit = recording()
      .sim.units()
      .find(({ slots }) => slots.length > 0);
    const sheet = session.answer(`inspect ${unit!.id}`);
    const [x, y] = [unit!.x, unit!.y].map((each) => Number(each.toFixed(2)));
    expect(sheet.split('\n')[0]).toBe(
      `${unit!.id} ${unit!.typeName} ${JSON.stringify(unit!.name)} of ${unit!.owner} ${unit!.owner!.typeName} ${JSON.stringify(unit!.owner!.name)} at (${x}, ${y})`,
    );
    expect(sheet).toMatch(/^ {2}health +\d+(?:\.\d+)? of \d+$/m);
    expect(sheet).toMatch(/^ {2}slots +1\*? /m);
    const player = unit!.owner!;
    const own = session.answer(`inspect ${player.id}`);
    expect(own).toMatch(new RegExp(`^  units +${unit!.id} ${unit!.typeName}`, 'm'));
    const called = session.answer(`inspect ${player.name}`);
    expect(called).toContain(own);
    expect(called, 'its unit has the same name').toContain(sheet);
  });

  test('variables and expressions, with suggestions', () => {
    const session = at(400);
    expect(session.answer('inspect state')).toBe(`state is ${JSON.stringify(recording().sim.variable('state'))}`);
    expect(session.answer('inspect players')).toMatch(/^players is 5: /);
    const { tick } = recording().sim;
    expect(session.answer('p tick + 1')).toBe(`tick is ${tick}\ntick + 1 is ${tick + 1}`);
    expect(session.answer('inspect staet')).toBe('Unknown name "staet". Did you mean "state"?');
    expect(session.answer('inspect nothing at all')).toMatch(/\n {2}nothing at all\n/);
    expect(session.answer('inspect')).toMatch(/^inspect needs/);
  });

  test('all entities of a kind', () => {
    const session = at(400);
    expect(session.answer('entities units').split('\n')).toHaveLength(recording().sim.units().length);
    expect(session.answer('entities')).toContain(session.answer('entities players'));
    expect(session.answer('entities unit')).toBe(
      'entities needs units, items, projectiles, players, regions or debris, not "unit"',
    );
  });

  test('watched expressions at every stop, with their former values', () => {
    const session = at(0);
    expect(session.answer('watch fired secondTick')).toBe('  fired secondTick is 0');
    expect(session.answer('step 20')).toMatch(/^tick 20 .*\n {2}fired secondTick is 1 \(was 0\)$/);
    expect(session.answer('step')).toMatch(/^tick 21 .*\n {2}fired secondTick is 1$/);
    expect(session.answer('watch nobodyKnowsThis')).toMatch(/^Unknown name "nobodyKnowsThis"/);
    expect(session.answer('unwatch fired foo')).toBe('"fired foo" is not watched:\nfired secondTick');
    expect(session.answer('unwatch')).toBe('no watches');
    expect(session.answer('unwatch fired foo')).toBe('"fired foo" is not watched:\nno watches');
    expect(session.answer('step')).toMatch(/^tick 22 [^\n]*$/);
  });
});

test('a debugger breaks at counts of events that it has seen completely', () => {
  const session = new Debugger(game, recording().journal);
  session.answer('break when fired secondTick == 2');
  expect(session.answer('run')).toMatch(
    /^tick 40 .*\nbreakpoint: when fired secondTick == 2\n {2}fired secondTick is 2$/,
  );
  session.answer('back 30');
  expect(session.answer('run')).toMatch(/end of the journal$/);
});

test('a breakpoint that is set twice is listed once', () => {
  const session = new Debugger(game, recording().journal);
  for (const _twice of [1, 2]) {
    session.answer('break secondTick');
    session.answer('break when tick == 3');
  }
  expect(session.answer('breaks').split('\n')).toHaveLength(2);
});
