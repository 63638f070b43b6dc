import { RandomStream } from '../../engine/core/random.ts';
import {
  type Input,
  type JournalRecord,
  type LoadedGame,
  type OutputEvent,
  Simulation,
  watchScripts,
} from '../../engine/index.ts';
import { botIds } from '../bots/bot.ts';
import { Bots } from '../bots/bots.ts';
import { bindExpression } from '../expression/bound-expression.ts';
import { GameSource } from '../expression/source.ts';
import { FalseComparisons } from '../run/false-comparisons.ts';
import { addCounts, type Counts, emptyCounts } from '../scenario/counts.ts';
import { SavedAccounts } from '../scenario/saved-accounts.ts';
import type { SavedJoinData } from '../store/account-persistence.ts';
import { type BoundPlan, Detector, goalKey, type Sighting } from './detector.ts';
import { Footprints, type Places } from './footprints.ts';
import { GeneratedSaves } from './generated-saves.ts';
import { GoalRanges, type PartRange } from './goal-ranges.ts';
import { idleScriptsOf, type NearMiss, nearMissesOf } from './near-misses.ts';
import type { Episode, ExplorePlan } from './plan.ts';
import { TargetTracker } from './target-tracker.ts';
import { targetKey } from './targets.ts';

/** What one play showed. Plain data. */
export interface EpisodeResult {
  readonly index: number;
  /** The played ticks: fewer than planned if the game ended or the time ran out. */
  readonly ticks: number;
  readonly hasSaves: boolean;
  readonly counts: Counts;
  /** Keys of targets. */
  readonly seen: readonly string[];
  readonly places: Places;
  readonly nearMisses: readonly NearMiss[];
  readonly sightings: readonly Sighting[];
  /** The range of values of each part of the goal. */
  readonly ranges: readonly PartRange[];
}

const answerSeconds = 0.5;
const overCheckTicks = 64;

/** Plays one episode. Throws `ExpressionError` for an invalid expression of the plan. */
export function playEpisode(
  game: LoadedGame,
  plan: ExplorePlan,
  episode: Episode,
  /** Asked now and then; true ends the play early. */
  isOver: () => boolean = () => false,
): EpisodeResult {
  const players = new PlayedEpisode(game, plan, episode);
  const { sim } = players;
  const bound = bindPlan(game, plan, () => sim);
  const { goal } = bound;
  const detector = new Detector(sim, plan, bound);
  const ranges = goal && new GoalRanges(goal);
  const secondTicks = Math.max(1, Math.round(sim.rate));
  const tracker = new TargetTracker(sim);
  const footprints = new Footprints(sim);
  const comparisons = new FalseComparisons(() => sim.tick);
  watchScripts(sim, comparisons);
  while (sim.tick < episode.ticks && !sim.ended) {
    if (sim.tick % overCheckTicks === 0 && isOver()) break;
    try {
      players.step();
    } catch (error) {
      detector.crashed(error);
      break;
    }
    detector.look();
    tracker.look();
    footprints.look();
    if (sim.tick % secondTicks === 0) ranges?.look();
    if (goal !== undefined && detector.found.has(goalKey(goal.text))) break;
  }
  detector.end();
  return {
    index: episode.index,
    ticks: sim.tick,
    hasSaves: episode.hasSaves,
    counts: addCounts(emptyCounts(), { sim }),
    seen: [...tracker.seen, ...idleScriptsOf(comparisons).map(targetKey.idle)],
    places: footprints.places,
    nearMisses: nearMissesOf(comparisons),
    sightings: [...detector.found.values()],
    ranges: ranges?.list() ?? [],
  };
}

/** Binds the expressions of a plan. Throws `ExpressionError`. */
export function bindPlan(game: LoadedGame, plan: ExplorePlan, playing: () => Simulation): BoundPlan {
  const source = new GameSource(game, plan.dialect, { playing, players: botIds(plan.players[1]) });
  const bind = (text: string) => bindExpression(text, source);
  return {
    goal: plan.goal === undefined ? undefined : bind(plan.goal),
    never: plan.never.map(bind),
    always: plan.always.map(bind),
    within: plan.within.map(({ expression, seconds }) => ({ bound: bind(expression), seconds })),
  };
}

/** The simulation of an episode with its players. */
class PlayedEpisode {
  readonly sim: Simulation;
  private readonly bots: Bots;
  private readonly answers: { readonly tick: number; readonly input: Input }[] = [];
  private readonly random: RandomStream;

  constructor(game: LoadedGame, { dialect }: ExplorePlan, { seed, players, hasSaves, traits }: Episode) {
    this.sim = new Simulation(game, { seed, dialect });
    const { sim } = this;
    this.random = new RandomStream(`${seed}/explore`);
    const accounts = new SavedAccounts(sim);
    const saves = hasSaves ? new GeneratedSaves(game.definition, this.random) : undefined;
    const joined = new Set<string>();
    const savedData = (userId: string): SavedJoinData => {
      const isFirst = !joined.has(userId);
      joined.add(userId);
      return isFirst && saves !== undefined ? { persisted: saves.next() } : accounts.joinData(userId);
    };
    this.bots = new Bots(sim, { count: players, seed, savedData, traits, isCurious: true });
    sim.on('output', (event) => this.receive(event));
  }

  step(): void {
    const { sim, answers } = this;
    while (answers.length > 0 && answers[0]!.tick <= sim.tick) sim.input(answers.shift()!.input);
    this.bots.beforeStep();
    sim.step();
  }

  /** Half of the web requests fail, the others get an empty answer. */
  private receive(event: OutputEvent): void {
    const { requestId } = event as OutputEvent & { readonly requestId?: unknown };
    if (event.kind !== 'http' || typeof requestId !== 'number') return;
    const tick = this.sim.tick + Math.round(answerSeconds * this.sim.rate);
    const isAnswered = this.random.chance(0.5);
    this.answers.push({ tick, input: { kind: 'httpAnswer', requestId, ...(isAnswered && { body: {} }) } });
  }
}

/** The inputs of a play, and everything else that a replay needs. */
export interface InputRecording {
  readonly seed: string;
  readonly ticks: number;
  readonly inputs: readonly TimedInput[];
}

/** An input, with the tick in which it takes effect. */
export interface TimedInput {
  readonly tick: number;
  readonly input: Input;
}

/** Plays an episode again, up to a tick, and records its inputs. */
export function recordEpisode(game: LoadedGame, plan: ExplorePlan, episode: Episode, ticks: number): InputRecording {
  const players = new PlayedEpisode(game, plan, episode);
  const { sim } = players;
  const inputs: TimedInput[] = [];
  const put = (record: JournalRecord): void => {
    if (record.kind !== 'inputs') return;
    for (const input of record.inputs) inputs.push({ tick: record.tick, input });
  };
  sim.journal(put, { hashTicks: Number.MAX_SAFE_INTEGER, snapshotTicks: 0 });
  try {
    while (sim.tick < ticks && !sim.ended) players.step();
  } catch {
    // The replay of the inputs shows whether the engine fails again.
  }
  return { seed: episode.seed, ticks, inputs };
}
