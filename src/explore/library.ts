/**
 * The module `reenact/explore`: `reenact explore` and `reenact reach` for programs, and an environment for learners. It
 * is separate from the door of this room, which also exports what only the commands need.
 */

import { availableParallelism } from 'node:os';
import { defined } from '../../engine/core/index.ts';
import { UsageError } from '../../engine/index.ts';
import { type Exploration, exploreGame } from './explore.ts';
import { openGame } from './playing/ground.ts';
import type { ExploreState } from './searching/campaign.ts';
import type { ExplorePlan } from './searching/plan.ts';
import { playersDefault } from './searching/players.ts';
import { newProgress } from './searching/progress.ts';

export { ExpressionError } from '../expression/index.ts';
export { GameUnreadable } from '../scenario/index.ts';
export {
  type ActionSpace,
  Environment,
  type EnvironmentOptions,
  type Reset,
  type Space,
  type Step,
} from './environment.ts';

/** The settings of a plan. Default: one to twelve players, the dialect `standard`, and no expressions. */
type Given = Partial<Omit<ExplorePlan, 'game' | 'seed'>>;

export interface ExploreOptions extends Given {
  /** How much to play: simulated ticks, with the same result on every machine, or seconds of real time. */
  readonly budget: { readonly ticks: number } | { readonly seconds: number };
  /** The seed of the exploration. Default `0`. */
  readonly seed?: string | number;
  /** Threads; they do not change the result. Default: one for each core. */
  readonly jobs?: number;
  readonly onProgress?: (state: ExploreState) => void;
  /** Aborting this signal ends the exploration; what was found by then is returned. */
  readonly signal?: AbortSignal;
}

/** Explores the game in a file. Throws `GameUnreadable`, `ExpressionError` or `UsageError` before playing anything. */
export async function explore(path: string, options: ExploreOptions): Promise<Exploration> {
  const {
    budget,
    jobs = availableParallelism(),
    players = playersDefault,
    seed = 0,
    onProgress,
    signal,
    ...given
  } = options;
  const amount = 'ticks' in budget ? budget.ticks : budget.seconds;
  if (!(amount > 0 && amount < Infinity))
    throw new UsageError('bad-option', `budget must be a number of ticks or seconds above 0, not ${amount}.`);
  if (!(Number.isInteger(jobs) && jobs > 0))
    throw new UsageError('bad-option', `jobs must be a whole number above 0, not ${jobs}.`);
  const [least, most] = players;
  if (!(Number.isInteger(least) && Number.isInteger(most) && least > 0 && most >= least))
    throw new UsageError(
      'bad-option',
      `players must be the smallest and the largest number of players, such as [1, 8], not [${players}].`,
    );
  const plan: ExplorePlan = {
    dialect: 'standard',
    never: [],
    always: [],
    within: [],
    reachable: [],
    ...defined(given),
    players,
    game: path,
    seed: String(seed),
  };
  return exploreGame({
    ...openGame(plan),
    plan,
    jobs,
    progress: newProgress(),
    budget: 'ticks' in budget ? budget : { ms: budget.seconds * 1000 },
    onProgress: onProgress ?? (() => {}),
    signal: signal ?? new AbortController().signal,
  });
}
