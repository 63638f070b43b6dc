import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { type DialectName, dialectNamed } from '../../engine/index.ts';
import { ratesOf } from '../../engine/internal.ts';
import { bindPlan } from '../explore/episode.ts';
import { explore as exploreGame, newProgress } from '../explore/explore.ts';
import { amountOfTime, progressText } from '../explore/explore-text.ts';
import { rangeText } from '../explore/goal-ranges.ts';
import type { ExplorePlan } from '../explore/plan.ts';
import { Games } from '../scenario/games.ts';
import { StatusLine } from '../text/status-line.ts';
import type { Terminal } from '../text/terminal.ts';
import { amount, fileTitle } from '../text/words.ts';
import { viewCommands, withUserErrors, writeFinding } from './explore.ts';
import { exitCodes } from './failure.ts';

export interface ReachOptions {
  readonly minutes: number;
  readonly steps?: number;
  readonly seed: string;
  readonly players: readonly [number, number];
  readonly jobs?: number;
  readonly dialect: DialectName;
  readonly output?: string;
  readonly json?: boolean;
}

export async function reach(path: string, goal: string, options: ReachOptions, terminal: Terminal): Promise<number> {
  return withUserErrors(() => reachGoal(path, goal, options, terminal));
}

async function reachGoal(path: string, goal: string, options: ReachOptions, terminal: Terminal): Promise<number> {
  const { seed, players, dialect, json = false } = options;
  const plan: ExplorePlan = {
    ...{ game: path, dialect, seed, players, goal },
    ...{ never: [], always: [], within: [], generatesSaves: false },
  };
  const game = new Games().game(path, undefined);
  bindPlan(game, plan, () => {
    throw new Error('Nothing is running yet.');
  });
  const rate = ratesOf(game.definition.defaultData, dialectNamed(dialect)).ticksPerSecond;
  const enough = new AbortController();
  const stopListening = terminal.onInterrupt(() => enough.abort());
  const status = new StatusLine(terminal.stderr);
  const startMs = performance.now();
  const progress = newProgress();
  const { findings, ranges, plays } = await exploreGame({
    ...{ plan, game, rate, progress, jobs: options.jobs ?? availableParallelism(), signal: enough.signal },
    budget: options.steps === undefined ? { ms: options.minutes * 60_000 } : { ticks: options.steps },
    onProgress: (state) => status.show(progressText(state, rate, performance.now() - startMs)),
  });
  stopListening();
  status.clear();
  const [finding] = findings;
  const played = `${amount(plays, 'play')}, ${amountOfTime(progress.ticks / rate)} in the game`;
  const { stdout } = terminal;
  if (finding === undefined) {
    const nearest = ranges.map(rangeText);
    if (json)
      stdout.write(`${JSON.stringify({ goal, reached: false, plays, ticks: progress.ticks, ranges }, null, 2)}\n`);
    else stdout.write([`not reached in ${played}: ${goal}`, ...nearest.map((line) => `    ${line}`), ''].join('\n'));
    return enough.signal.aborted ? exitCodes.interrupted : exitCodes.neverTrue;
  }
  const files = writeFinding(finding, plan, options.output ?? join('.reenact', 'reach', fileTitle(path)));
  const { ticks, inputs, seed: found } = finding.recording;
  if (json) {
    const play = { seed: found, ticks, ticksPerSecond: rate, inputs, files };
    stdout.write(`${JSON.stringify({ goal, reached: true, plays, ...play }, null, 2)}\n`);
  } else {
    const length = `after ${amountOfTime(ticks / rate)} with ${amount(inputs.length, 'input')}`;
    stdout.write([`reached ${length}: ${goal}`, ...viewCommands(files).map((line) => `    ${line}`), ''].join('\n'));
  }
  return exitCodes.ok;
}
