/**
 * `node dist/bench/explore.js [--seconds 60] [--seeds 2] [FOLDER…]`: how many actions and branches `reenact explore`
 * covers, against bots that start anew each minute and against plays of five minutes, in the same processor time. Plays
 * the samples and the games of the folders (default: $REENACT_GAMES). Each run has its own process, so that none
 * profits from code that another has compiled.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { dialectNamed, type LoadedGame, loadDefinition, Simulation } from '../engine/index.ts';
import { ratesOf } from '../engine/internal.ts';
import { Bots } from '../src/bots/bots.ts';
import { playEpisode } from '../src/explore/episode.ts';
import { type ExplorePlan, episodeOf } from '../src/explore/plan.ts';
import { addCounts, type Counts, emptyCounts, mergeCounts } from '../src/scenario/counts.ts';
import { coverageOf } from '../src/scenario/coverage.ts';
import { Games } from '../src/scenario/games.ts';
import { commandLine, positive } from './command-line.ts';

const strategies = ['explore', 'minutes', 'five-minutes'] as const;
type Strategy = (typeof strategies)[number];

const botCount = 8;
const baselineSeconds: Readonly<Record<Exclude<Strategy, 'explore'>, number>> = { minutes: 60, 'five-minutes': 300 };
const deadlineCheckTicks = 64;
const samples = fileURLToPath(new URL('../../scenarios/games/', import.meta.url));

/** Processor time of this process, in seconds. */
function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** The number of covered actions and branches after some processor time. */
function coveredBy(strategy: Strategy, path: string, seed: string, seconds: number): number {
  const games = new Games();
  const watched = games.game(path, undefined);
  const { definition } = watched;
  const counts = emptyCounts();
  const end = cpuSeconds() + seconds;
  if (strategy === 'explore') {
    const plan: ExplorePlan = {
      game: path,
      dialect: 'standard',
      seed,
      players: [1, 12],
      never: [],
      always: [],
      within: [],
      reachable: [],
    };
    const rate = ratesOf(definition.defaultData, dialectNamed('standard')).ticksPerSecond;
    for (let index = 0; cpuSeconds() < end; index++) {
      const episode = episodeOf(plan, rate, index);
      mergeCounts(counts, playEpisode(watched, plan, episode, () => cpuSeconds() > end).counts);
    }
  } else {
    // The baseline of bots alone runs without a watcher of conditions, which would slow it down.
    const { game } = loadDefinition(games.document(path));
    for (let index = 0; cpuSeconds() < end; index++)
      mergeCounts(counts, botsAlone(game!, `${seed}/${index}`, baselineSeconds[strategy], end));
  }
  const { actions, branches } = coverageOf(path, definition, counts);
  return actions.ran + branches.ran;
}

function botsAlone(game: LoadedGame, seed: string, seconds: number, end: number): Counts {
  const sim = new Simulation(game, { seed });
  const bots = new Bots(sim, { count: botCount, seed });
  const ticks = seconds * sim.rate;
  while (sim.tick < ticks && !sim.ended) {
    if (sim.tick % deadlineCheckTicks === 0 && cpuSeconds() > end) break;
    bots.beforeStep();
    sim.step();
  }
  return addCounts(emptyCounts(), { sim });
}

function geometricMean(values: readonly number[]): number {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}

function compare(folders: readonly string[], seconds: number, seeds: number): void {
  const line = (cells: readonly (string | number)[]): void => {
    process.stdout.write(
      `${String(cells[0]).padEnd(34)}${cells
        .slice(1)
        .map((cell) => String(cell).padStart(14))
        .join('')}\n`,
    );
  };
  line(['game', ...strategies, '/ minutes', '/ five-minutes']);
  const ratios: [minutes: number, fiveMinutes: number][] = [];
  for (const folder of [samples, ...folders]) {
    for (const file of readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .sort()) {
      const means = strategies.map((strategy) => {
        const found = Array.from({ length: seeds }, (_, seed) => {
          const args = ['--only', strategy, '--seed', String(seed), '--seconds', String(seconds), join(folder, file)];
          return Number(
            execFileSync(process.execPath, [fileURLToPath(import.meta.url), ...args], { encoding: 'utf8' }),
          );
        });
        return found.reduce((sum, covered) => sum + covered, 0) / seeds;
      });
      const [explored, minutes, fiveMinutes] = means as [number, number, number];
      // Skips games in which no script runs.
      if (Math.min(...means) === 0) continue;
      ratios.push([explored / minutes, explored / fiveMinutes]);
      line([
        basename(file, '.json'),
        ...means.map((mean) => mean.toFixed(0)),
        ...ratios.at(-1)!.map((ratio) => ratio.toFixed(2)),
      ]);
    }
  }
  const summary = (name: string, of: (values: readonly number[]) => number): void =>
    line([name, '', '', '', ...[0, 1].map((i) => of(ratios.map((pair) => pair[i]!)).toFixed(2))]);
  summary('geometric mean', geometricMean);
  summary('least', (values) => Math.min(...values));
}

const { values, positionals } = commandLine({
  allowPositionals: true,
  options: {
    seconds: { type: 'string' },
    seeds: { type: 'string' },
    seed: { type: 'string' },
    only: { type: 'string' },
  },
});
const seconds = positive('seconds', values.seconds ?? '60');
const only = strategies.find((strategy) => strategy === values.only);
if (only !== undefined) process.stdout.write(`${coveredBy(only, positionals[0]!, values.seed ?? '0', seconds)}\n`);
else {
  const given = process.env['REENACT_GAMES'];
  const folders = positionals.length > 0 ? positionals : given === undefined ? [] : [given];
  compare(folders, seconds, positive('seeds', values.seeds ?? '2'));
}
