/**
 * The module `reenact/explore`: `reenact explore` and `reenact reach` for programs, and an environment for learners. It
 * is separate from the door of this room, which also exports what only the commands need.
 */

import { availableParallelism } from 'node:os';
import { type DialectName, dialectNamed, type HostWords, UsageError } from '../../engine/index.ts';
import { ratesOf } from '../../engine/tools.ts';
import { Games } from '../scenario/index.ts';
import { type Exploration, exploreGame } from './explore.ts';
import { bindPlan } from './playing/ground.ts';
import type { ExploreState } from './searching/campaign.ts';
import type { Deadline, ExplorePlan, Objective } from './searching/plan.ts';
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

export interface ExploreOptions {
  /** How much to play: simulated ticks, with the same result on every machine, or seconds of real time. */
  readonly budget: { readonly ticks: number } | { readonly seconds: number };
  /** The seed of the exploration. Default `0`. */
  readonly seed?: string | number;
  readonly dialect?: DialectName;
  /** The operations and triggers that the host of the game adds. */
  readonly host?: HostWords;
  /** The range of the number of players. Default: 1 to 12. */
  readonly players?: readonly [least: number, most: number];
  /** Threads; they do not change the result. Default: one for each core. */
  readonly jobs?: number;
  /** Expressions that must not be true at any tick. */
  readonly never?: readonly string[];
  /** Expressions that must be true at every tick. */
  readonly always?: readonly string[];
  readonly within?: readonly Deadline[];
  /** Expressions that must be able to become true within the given number of seconds after each play ends. */
  readonly reachable?: readonly Deadline[];
  /** An expression to reach: exploring ends when it is true, and the only finding is a short play that reaches it. */
  readonly goal?: string;
  /** An expression to minimise or maximise; the only finding is the best play. */
  readonly objective?: Objective;
  /** The maximum length of a play towards a goal or an objective, in simulated seconds. */
  readonly secondsMax?: number;
  /** The maximum number of script actions in one tick; more is a finding. */
  readonly actionsMax?: number;
  /** The maximum real time of a tick, in milliseconds; more is a finding. */
  readonly budgetMs?: number;
  readonly onProgress?: (state: ExploreState) => void;
  /** Aborting it ends the exploration; what was found by then is returned. */
  readonly signal?: AbortSignal;
}

/** Explores the game in a file. Throws `GameUnreadable`, `ExpressionError` or `UsageError` before playing anything. */
export async function explore(path: string, options: ExploreOptions): Promise<Exploration> {
  const { budget, jobs = availableParallelism(), players = playersDefault } = options;
  const amount = 'ticks' in budget ? budget.ticks : budget.seconds;
  if (!(amount > 0 && amount < Number.POSITIVE_INFINITY))
    throw new UsageError('bad-option', `budget is a number of ticks or seconds above 0, not ${amount}.`);
  if (!(Number.isInteger(jobs) && jobs > 0)) throw new UsageError('bad-option', `jobs is 1 or more, not ${jobs}.`);
  const [least, most] = players;
  if (!(Number.isInteger(least) && Number.isInteger(most) && least > 0 && most >= least))
    throw new UsageError(
      'bad-option',
      `players is the least and the largest number, such as [1, 8], not [${players}].`,
    );
  const plan: ExplorePlan = {
    game: path,
    host: options.host,
    players,
    seed: String(options.seed ?? 0),
    dialect: options.dialect ?? 'standard',
    never: options.never ?? [],
    always: options.always ?? [],
    within: options.within ?? [],
    reachable: options.reachable ?? [],
    goal: options.goal,
    objective: options.objective,
    secondsMax: options.secondsMax,
    actionsMax: options.actionsMax,
    budgetMs: options.budgetMs,
  };
  const game = new Games().game(plan);
  bindPlan(game, plan);
  return exploreGame({
    plan,
    game,
    jobs,
    progress: newProgress(),
    rate: ratesOf(game.definition.defaultData, dialectNamed(plan.dialect)).ticksPerSecond,
    budget: 'ticks' in budget ? budget : { ms: budget.seconds * 1000 },
    onProgress: options.onProgress ?? (() => {}),
    signal: options.signal ?? new AbortController().signal,
  });
}
