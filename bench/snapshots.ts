import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { arrangeJournal, type JournalRecord, loadDefinition, Replay, Simulation } from '../engine/index.ts';
import { internalsOf } from '../engine/tools.ts';
import { Bots } from '../src/bots/index.ts';
import { frameOf } from '../src/journal/index.ts';
import { spread } from './measure.ts';
import { type Report, rounded } from './report.ts';

/**
 * The cost of hash, snapshot and restore compared with a tick of the same game; the size of a snapshot per body and of
 * a journal per simulated minute; and the speed of replays.
 */

const warmUpTicks = 200;
const measuredTicks = 400;
/** A snapshot is taken on every tenth measured tick. */
const every = 10;

export function snapshots(files: readonly string[], bots = 8): Report {
  return {
    head: [
      'game',
      'bodies',
      'tick ms',
      'hash ms',
      'hash of tick + hash %',
      'snapshot ms, least',
      'snapshot ms',
      'restore ms, least',
      'restore ms',
      'bytes',
      'bytes a body',
      'gzip bytes',
      'journal KiB a minute',
      'replay x real time',
      'verify x real time',
      'replay is the play',
    ],
    rows: files.map((file) => rowOf(file, bots)),
    notes: [
      'medians unless it says least; the journal holds a hash of every tick and a snapshot every 600 ticks; 8 bots play',
    ],
  };
}

function rowOf(file: string, count: number): (string | number)[] {
  const { game } = loadDefinition(JSON.parse(readFileSync(file, 'utf8')));
  if (game === undefined) throw new Error(`${file} is no definition.`);
  const sim = new Simulation(game, { seed: 1 });
  const bots = new Bots(sim, { count, seed: '1' });
  const records: JournalRecord[] = [];
  const times = { tick: [] as number[], hash: [] as number[], snapshot: [] as number[], restore: [] as number[] };
  const timed = <T>(to: number[], work: () => T): T => {
    const start = performance.now();
    const result = work();
    if (sim.tick > warmUpTicks) to.push(performance.now() - start);
    return result;
  };
  let bytes = new Uint8Array(0);
  while (sim.tick < warmUpTicks + measuredTicks && !sim.ended) {
    bots.beforeStep();
    timed(times.tick, () => sim.step());
    timed(times.hash, () => sim.hash());
    if (sim.tick % every !== 0) continue;
    bytes = timed(times.snapshot, () => Uint8Array.from(sim.snapshot()));
    timed(times.restore, () => Simulation.restore(game, bytes));
  }
  const tick = spread(times.tick).median;
  const hash = spread(times.hash).median;
  const bodies = internalsOf(sim).game.physics.parts.space.bodies.newestFirst().length;

  const played = new Simulation(game, { seed: 1 });
  const recorder = played.journal((record) => records.push(record), { hashTicks: 1 });
  const players = new Bots(played, { count, seed: '1' });
  while (played.tick < warmUpTicks + measuredTicks && !played.ended) {
    players.beforeStep();
    played.step();
  }
  recorder.end();
  const journal = arrangeJournal(records)!;
  const journalBytes = records.reduce((sum, record) => sum + frameOf(record).length, 0);
  const simulatedMs = (1000 * played.tick) / played.rate;
  const replayed = (verify: boolean): { speed: number; same: boolean } => {
    const replay = new Replay(game, journal, { keyframeTicks: Number.MAX_SAFE_INTEGER });
    let same = true;
    const start = performance.now();
    while (!replay.isAtEnd) {
      replay.step();
      if (verify && replay.difference() !== undefined) same = false;
    }
    const speed = simulatedMs / (performance.now() - start);
    return { speed, same: same && replay.sim.hash() === played.hash() };
  };
  const plain = replayed(false);
  const verified = replayed(true);
  return [
    file.split('/').at(-1)!,
    bodies,
    rounded(tick),
    rounded(hash),
    rounded((100 * hash) / (tick + hash), 1),
    ...[times.snapshot, times.restore].flatMap((samples) => {
      const { min, median } = spread(samples);
      return [rounded(min, 2), rounded(median, 2)];
    }),
    bytes.length,
    bodies === 0 ? '-' : Math.round(bytes.length / bodies),
    gzipSync(bytes).length,
    Math.round((journalBytes / 1024) * (60_000 / simulatedMs)),
    rounded(plain.speed, 0),
    rounded(verified.speed, 0),
    plain.same && verified.same ? 'yes' : 'NO',
  ];
}
