import { cpus } from 'node:os';
import type { LoadedGame } from '../../engine/index.ts';
import { medianOf, ratioOf } from '../statistics/statistics.ts';
import { gameTitle } from '../text/title.ts';
import type { ScriptProfile } from './profile.ts';
import { type BenchResult, benchSchema, type Capacity, type GameResult, type ScaleResult } from './result.ts';
import { measureRun, profileRun, type Run, type RunOptions, type Watched } from './run.ts';

interface BenchOptions extends Pick<RunOptions, 'dialect' | 'seed' | 'seconds' | 'realtime' | 'interrupted'> {
  readonly version: string;
  readonly bots: readonly number[];
  readonly runs: number;
  /** Called with the work in hand and the share of it that is done. */
  readonly progress: (what: string, share: number) => void;
}

interface Contestant {
  readonly file: string;
  readonly game: LoadedGame;
}

interface Bench {
  readonly result: BenchResult;
  /** One per game; undefined where it was not asked for or not reached. */
  readonly profiles: readonly (ScriptProfile | undefined)[];
}

/** Code is compiled and crowds gather in this time. */
const warmUpSecondsMax = 5;

/**
 * Measures games. Runs of several games take turns, round by round, so that what the machine does meanwhile happens to all of them. Scripts are
 * timed in plays of their own afterwards, because the clock is not free.
 */
export async function bench(contestants: readonly Contestant[], options: BenchOptions): Promise<Bench> {
  const { dialect, seed, seconds, realtime, interrupted } = options;
  const warmUpSeconds = Math.min(warmUpSecondsMax, seconds);
  const rounds = options.runs * options.bots.length * contestants.length;
  let done = 0;
  const optionsFor = (what: string, bots: number, isRealtime: boolean): RunOptions => {
    const progress = (tick: number, ticks: number): void => options.progress(what, (done + tick / ticks) / rounds);
    return { dialect, seed, bots, warmUpSeconds, seconds, realtime: isRealtime, interrupted, progress };
  };

  const scales: ScaleResult[][] = contestants.map(() => []);
  const medians: number[][] = contestants.map(() => []);
  for (const bots of options.bots) {
    const taken: Run[][] = contestants.map(() => []);
    for (let round = 0; round < options.runs && !interrupted(); round++) {
      for (const [i, { file, game }] of contestants.entries()) {
        const what = `${file}, ${bots} bots, run ${round + 1} of ${options.runs}`;
        const run = await measureRun(game, optionsFor(what, bots, realtime));
        // Half a run ends in another state than a whole one, and says something only where there is none.
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
    const watched = await steadyProfile(game, options, () => optionsFor(`${file}, scripts`, last.bots, false));
    profiles.push(watched?.profile);
    const budgetMs = 1000 / last.ticksPerSecond;
    const isFair = i > 0 && medians[i]!.length === medians[0]!.length;
    games.push({
      file,
      title: gameTitle(game.definition) ?? null,
      dialect,
      seed,
      realtime,
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

/** As many plays as there are runs; one that was interrupted counts only where there is no whole one. */
async function steadyProfile(
  game: LoadedGame,
  { runs, interrupted }: BenchOptions,
  optionsOfRun: () => RunOptions,
): Promise<Watched | undefined> {
  const plays: Watched[] = [];
  while (plays.length < runs && !interrupted()) plays.push(await profileRun(game, optionsOfRun()));
  const [first, ...others] = plays;
  first?.profile.steady(others.filter(({ ticks }) => ticks === first.ticks).map(({ profile }) => profile));
  return first;
}

function scaleOf(bots: number, runs: readonly Run[]): ScaleResult {
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

/** Between two numbers of players that were tried the cost of a tick is taken to grow evenly. */
export function capacityOf(scales: readonly ScaleResult[], budgetMs: number): Capacity {
  const points = scales
    // Where players were refused the game was full, even if some had just left at the end.
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
