import { type JournalRecord, type LoadedGame, watchScripts } from '../../engine/index.ts';
import { FalseComparisons } from '../run/false-comparisons.ts';
import { addCounts, type Counts, emptyCounts } from '../scenario/counts.ts';
import { Detector, type Sighting } from './detector.ts';
import { Footprints, type Places } from './footprints.ts';
import type { PartRange } from './goal-ranges.ts';
import { groundOf } from './ground.ts';
import type { InputRecording, TimedInput } from './input-recording.ts';
import { idleScriptsOf, type NearMiss, nearMissesOf } from './near-misses.ts';
import type { Episode, ExplorePlan } from './plan.ts';
import { PlayedEpisode } from './played-episode.ts';
import { TargetTracker } from './target-tracker.ts';
import { targetKey } from './targets.ts';
import { wasteMax, wasteOf } from './tick-cost.ts';

/** What one play showed. Plain data. */
export interface EpisodeResult {
  readonly index: number;
  /** The played ticks: fewer than planned if the game ended, the time ran out, or each tick took too long. */
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
  const detector = new Detector(sim, plan, groundOf(game, plan).bind);
  const tracker = new TargetTracker(sim);
  const footprints = new Footprints(sim);
  const comparisons = new FalseComparisons(() => sim.tick);
  watchScripts(sim, comparisons);
  let waste = 0;
  while (sim.tick < episode.ticks && !sim.ended) {
    if (sim.tick % overCheckTicks === 0 && isOver()) break;
    let slowMs: number | undefined;
    try {
      slowMs = players.step(plan.budgetMs);
    } catch (error) {
      detector.crashed(error);
      break;
    }
    detector.look(slowMs);
    // Other plays show more than one that hardly advances.
    if (detector.hasHitLimit) waste += wasteOf(sim);
    if (waste > wasteMax) break;
    tracker.look();
    footprints.look();
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
    ranges: [],
  };
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
