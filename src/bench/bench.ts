import { cpus } from 'node:os';
import type { LoadedGame } from '../../engine/index.ts';
import { medianOf, ratioOf } from '../statistics/index.ts';
import { gameTitle } from '../text/index.ts';
import type { ScriptProfile } from './profile.ts';
import { type BenchResult, benchSchema, type Capacity, type GameResult, type ScaleResult } from './result.ts';
import { type MeasuredRun, measureRun, profileRun, type RunOptions, type Watched } from './run.ts';

interface BenchOptions extends Pick<RunOptions, 'dialect' | 'seed' | 'seconds' | 'interrupted'> {
  readonly version: string;
  readonly bots: readonly number[];
  readonly runs: number;
  /** Called repeatedly with the current work and the fraction of all work that is done, from 0 to 1. */
  readonly progress: (what: string, share: number) => void;
}

interface Contestant {
  readonly file: string;
  readonly game: LoadedGame;
}

interface Bench {
  readonly result: BenchResult;
  /** One profile per game; undefined if it was not requested, or not reached before an interruption. */
  readonly profiles: readonly (ScriptProfile | undefined)[];
}

/** The longest warm-up, in simulated seconds. During the warm-up, code is compiled and crowds form. */
const warmUpSecondsMax = 5;

/**
 * Measures games. The runs of several games take turns in rounds, so that slow phases of the machine affect all games.
 * Scripts are timed in separate runs afterwards, because reading the clock costs time.
 */
export async function bench(contestants: readonly Contestant[], options: BenchOptions): Promise<Bench> {
  const { dialect, seed, seconds, interrupted } = options;
  const warmUpSeconds = Math.min(warmUpSecondsMax, seconds);
  const rounds = options.runs * options.bots.length * contestants.length;
  let done = 0;
  const optionsFor = (what: string, bots: number): RunOptions => {
    const progress = (tick: number, ticks: number) => options.progress(what, (done + tick / ticks) / rounds);
    return { dialect, seed, bots, warmUpSeconds, seconds, interrupted, progress };
  };

  const scales: ScaleResult[][] = contestants.map(() => []);
  const medians: number[][] = contestants.map(() => []);
  for (const bots of options.bots) {
    const taken: MeasuredRun[][] = contestants.map(() => []);
    for (let round = 0; round < options.runs && !interrupted(); round++) {
      for (const [i, { file, game }] of contestants.entries()) {
        const what = `${file}, ${bots} bots, run ${round + 1} of ${options.runs}`;
        const run = await measureRun(game, optionsFor(what, bots));
        // An interrupted run ends in a different state, so it is used only if there is no complete run.
        if (run !== undefined && (!interrupted() || taken[i]!.length === 0)) taken[i]!.push(run);
        done++;
      }
    }
    taken.forEach((runs, i) => {
      if (runs.length === 0) return;
      scales[i]!.push(scaleOf(bots, runs));
      medians[i]!.push(...runs.map(({ result }) => result.tickMs.p50));
    });
  }

  const profiles: (ScriptProfile | undefined)[] = [];
  const games: GameResult[] = [];
  for (const [i, { file, game }] of contestants.entries()) {
    const last = scales[i]!.at(-1);
    if (last === undefined) continue;
    done = rounds - 1;
    const watched = await steadyProfile(game, options, optionsFor(`${file}, scripts`, last.bots));
    profiles.push(watched?.profile);
    const budgetMs = 1000 / last.ticksPerSecond;
    const isFair = i > 0 && medians[i]!.length === medians[0]!.length;
    games.push({
      file,
      title: gameTitle(game.definition) ?? null,
      dialect,
      seed,
      warmUpSeconds,
      seconds,
      ticksPerSecond: last.ticksPerSecond,
      budgetMs,
      scales: scales[i]!,
      capacity: capacityOf(scales[i]!, budgetMs),
      profile: watched === undefined ? null : watched.profile.rows(watched.ticks),
      ratio: isFair ? ratioOf(medians[i]!, medians[0]!) : null,
    });
  }
  const machine = `${process.platform} ${process.arch}, ${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}`;
  return {
    result: { schema: benchSchema, reenact: options.version, node: process.version, machine, games },
    profiles,
  };
}

/** Profiles a game in as many runs as were measured. An interrupted run is used only if there is no complete run. */
async function steadyProfile(
  game: LoadedGame,
  { runs, interrupted }: BenchOptions,
  options: RunOptions,
): Promise<Watched | undefined> {
  const plays: Watched[] = [];
  while (plays.length < runs && !interrupted()) plays.push(await profileRun(game, options));
  const [first, ...others] = plays;
  first?.profile.steady(others.filter(({ ticks }) => ticks === first.ticks).map(({ profile }) => profile));
  return first;
}

function scaleOf(bots: number, runs: readonly MeasuredRun[]): ScaleResult {
  const median = medianOf(runs.map(({ result }) => result.tickMs.p50));
  const typical = runs.find(({ result }) => result.tickMs.p50 === median) ?? runs[0]!;
  const { counters, hash, players, playersMax, ticksPerSecond } = typical;
  return {
    bots,
    players,
    playersMax,
    ticksPerSecond,
    counters,
    hash,
    deterministic: runs.every((run) => run.hash === hash),
    runs: runs.map(({ result }) => result),
    typical: typical.result,
  };
}

/**
 * How many players a game can have within the time budget of a tick, interpolated linearly between the measured numbers
 * of players.
 */
export function capacityOf(scales: readonly ScaleResult[], budgetMs: number): Capacity {
  const points = scales
    // If the game refused a player, it was full. The number of players at that moment is then used, even if some had
    // left by the end.
    .map(({ players, playersMax, typical }) => ({ players: playersMax ?? players, playersMax, ms: typical.tickMs.p95 }))
    .sort((a, b) => a.players - b.players);
  let held: { players: number; playersMax: number | null; ms: number } = { players: 0, playersMax: null, ms: 0 };
  for (const point of points) {
    if (point.ms > budgetMs) {
      const share = (budgetMs - held.ms) / (point.ms - held.ms);
      return {
        players: Math.floor(held.players + share * (point.players - held.players)),
        isReached: true,
        isFull: false,
      };
    }
    held = point;
  }
  return { players: held.players, isReached: false, isFull: held.playersMax !== null };
}
