import { PerformanceObserver } from 'node:perf_hooks';
import { type DialectName, type LoadedGame, observeScripts, playCounts, Simulation } from '../../engine/index.ts';
import { type Program, programsOfGame } from '../../engine/tools.ts';
import { Bots } from '../bots/index.ts';
import { humanCount, Stopwatch, Turns } from '../run/index.ts';
import { medianOf, percentilesOf } from '../statistics/index.ts';
import { ScriptProfile } from './profile.ts';
import type { Counters, Outcome, RunResult } from './result.ts';

export interface RunOptions {
  readonly dialect: DialectName;
  readonly seed: string;
  readonly bots: number;
  readonly warmUpSeconds: number;
  readonly seconds: number;
  readonly interrupted: () => boolean;
  readonly progress: (tick: number, ticks: number) => void;
}

export interface MeasuredRun extends Outcome {
  readonly result: RunResult;
}

/**
 * The number of ticks between two measurements of the heap. At these ticks, the loop also yields to the event loop, in
 * which Node reports garbage collections.
 */
const stretch = 16;

function compileAll({ scripts }: Program) {
  for (const script of scripts) void script.code;
}

/** The bots of a run, and the numbers of its ticks. */
function prepare(sim: Simulation, { bots: count, seed, warmUpSeconds, seconds }: RunOptions) {
  const warmUp = Math.round(warmUpSeconds * sim.rate);
  return { bots: new Bots(sim, { count, seed }), warmUp, ticks: warmUp + Math.round(seconds * sim.rate) };
}

/**
 * Measures one run of a game. The tick times exclude the bots, whose work does not belong to the game. Returns
 * undefined if it is interrupted before a tick is measured.
 */
export async function measureRun(game: LoadedGame, options: RunOptions): Promise<MeasuredRun | undefined> {
  const turns = new Turns();
  // Scripts are compiled in advance, so that the tick in which a script runs for the first time does not include its
  // compilation.
  compileAll(programsOfGame(game).program(options.dialect));
  await turns.take();
  if (options.interrupted()) return undefined;
  const sim = new Simulation(game, { seed: options.seed, dialect: options.dialect });
  let playersMax: number | null = null;
  sim.on('refused', ({ reason }) => {
    if (reason === 'server-full') playersMax = Math.max(playersMax ?? 0, humanCount(sim));
  });
  const { bots, warmUp, ticks } = prepare(sim, options);
  const tickMs = 1000 / sim.rate;
  const timesMs: number[] = [];
  const bytes: number[] = [];
  const collections: number[] = [];
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) collections.push(duration);
  });
  let stopwatch = new Stopwatch();
  let contacts = 0;
  let entityVisits = 0;
  let awake = 0;
  let contactsMeasured = 0;
  let entities = 0;
  let wallStart = performance.now();
  let heapBefore = 0;
  for (let tick = 0; tick < ticks && !sim.ended && !options.interrupted(); tick++) {
    if (tick % stretch === 0) {
      if (tick > warmUp) bytes.push((process.memoryUsage().heapUsed - heapBefore) / stretch);
      options.progress(tick, ticks);
      await turns.take();
      heapBefore = process.memoryUsage().heapUsed;
    } else if (turns.areDue) {
      await turns.take();
      if (options.interrupted()) break;
    }
    if (tick === warmUp) {
      observer.observe({ entryTypes: ['gc'] });
      stopwatch = new Stopwatch();
      sim.observePhases(stopwatch.start);
      wallStart = performance.now();
    }
    if (tick >= warmUp) stopwatch.start('bots');
    bots.beforeStep();
    const start = performance.now();
    sim.step();
    const timeMs = performance.now() - start;
    const { lastTick } = sim;
    if (tick >= warmUp) {
      timesMs.push(timeMs);
      awake += lastTick.bodiesAwake;
      contactsMeasured += lastTick.contacts;
      entities += sim.entityCount;
    }
    contacts += lastTick.contacts;
    entityVisits += lastTick.turns;
  }
  const wallMs = performance.now() - wallStart;
  await turns.take();
  observer.disconnect();
  sim.observePhases(undefined);
  if (timesMs.length === 0 && options.interrupted()) return undefined;

  const measured = Math.max(1, timesMs.length);
  const percentiles = percentilesOf(timesMs);
  const memory = process.memoryUsage();
  const parts = Object.entries(stopwatch.partsMs).map(([part, ms]) => [part, ms / measured]);
  const result: RunResult = {
    ticks: timesMs.length,
    wallMs,
    speed: wallMs > 0 ? (timesMs.length * tickMs) / wallMs : 0,
    tickMs: percentiles,
    budgetShare: percentiles.p50 / tickMs,
    ticksOverBudget: timesMs.filter((time) => time > tickMs).length,
    partsMs: Object.fromEntries(parts),
    bodiesAwake: awake / measured,
    contacts: contactsMeasured / measured,
    entities: entities / measured,
    // If the heap shrank in an interval, a garbage collection took place, which makes the value of the interval
    // meaningless.
    bytesPerTick: medianOf(bytes.filter((each) => each >= 0)),
    gc: {
      pauses: collections.length,
      totalMs: collections.reduce((sum, each) => sum + each, 0),
      longestMs: Math.max(0, ...collections),
    },
    heapMb: memory.heapUsed / 1e6,
    residentMb: memory.rss / 1e6,
    timesMs,
  };
  const sum = (counts: Iterable<number>) => [...counts].reduce((all, count) => all + count, 0);
  const { locations, scripts, triggers, outputs } = playCounts(sim);
  const counters: Counters = {
    ticks: sim.tick,
    actions: sum(locations),
    scriptRuns: sum(scripts),
    triggers: sum(triggers.values()),
    contacts,
    entityVisits,
    outputs: sum(outputs.values()),
    faults: sim.faults().reduce((all, { count }) => all + count, 0),
  };
  return { result, counters, hash: sim.hash(), players: humanCount(sim), playersMax, ticksPerSecond: sim.rate };
}

/** A run in which the scripts were timed. */
export interface Watched {
  readonly profile: ScriptProfile;
  readonly ticks: number;
  readonly hash: string;
}

/**
 * Repeats a run with a profiler. If the hash of the result is equal to the hash of the measured run, both did the same
 * work.
 */
export async function profileRun(game: LoadedGame, options: RunOptions): Promise<Watched> {
  const turns = new Turns();
  const watched = programsOfGame(game).watched('actions');
  const program = programsOfGame(watched).program(options.dialect);
  compileAll(program);
  const sim = new Simulation(watched, { seed: options.seed, dialect: options.dialect });
  const { bots, warmUp, ticks } = prepare(sim, options);
  const profile = new ScriptProfile(program);
  for (let tick = 0; tick < ticks && !sim.ended && !options.interrupted(); tick++) {
    if (turns.areDue) {
      options.progress(tick, ticks);
      await turns.take();
    }
    if (tick === warmUp) observeScripts(sim, profile);
    bots.beforeStep();
    sim.step();
  }
  return { profile, ticks: Math.max(0, sim.tick - warmUp), hash: sim.hash() };
}
