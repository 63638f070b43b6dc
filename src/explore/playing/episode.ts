import type { JournalRecord, LoadedGame, Recorder, Simulation } from '../../../engine/index.ts';
import { journalBytes } from '../../journal/index.ts';
import { addCounts, emptyCounts } from '../../scenario/index.ts';
import { Detector, leakFactor, type Sighting } from '../finding/detector.ts';
import type { PartRange } from '../searching/goal-ranges.ts';
import type { Episode, ExplorePlan } from '../searching/plan.ts';
import { groundOf } from './ground.ts';
import type { TimedInput } from './input-recording.ts';
import { PlayedEpisode } from './played-episode.ts';
import { wasteMax, wasteOf } from './tick-cost.ts';
import { type IsOver, inTime } from './time-limit.ts';

/** The outcome of one play. Plain data. */
export interface EpisodeResult {
  readonly index: number;
  /** The number of ticks played: fewer than planned if the game ended, the time ran out, or ticks took too long. */
  readonly ticks: number;
  readonly sightings: readonly Sighting[];
  /** The journal of the play, if it had sightings. */
  readonly journal?: Uint8Array;
  /** In a play towards a goal: the range of values of each part of the goal. */
  readonly ranges?: readonly PartRange[];
  /** The paths of the scripts and actions that ran. */
  readonly ran: readonly string[];
}

/** Plays one episode. Throws `ExpressionError` for an invalid expression of the plan. `isOver` ends the play early. */
export function playEpisode(game: LoadedGame, plan: ExplorePlan, episode: Episode, isOver: IsOver): EpisodeResult {
  const players = new PlayedEpisode(game, plan, episode);
  const { sim } = players;
  const detector = new Detector(sim, plan, groundOf(game, plan).bind, isOver);
  const records: JournalRecord[] = [];
  const recorder = sim.journal((record) => records.push(record), { ...inputsOnly, source: plan.game });
  let waste = 0;
  let { ticks } = episode;
  while (sim.tick < ticks && !sim.ended) {
    if (isOver()) break;
    try {
      players.step();
    } catch (error) {
      detector.crashed(error);
      break;
    }
    inTime(() => detector.look());
    // Ends a play that hardly advances; the time is better spent on other plays.
    if (detector.hasHitLimit) waste += wasteOf(sim);
    if (waste > wasteMax) break;
    // Only a longer play shows whether the growth has an end.
    if (sim.tick === episode.ticks && detector.seesGrowth) ticks *= leakFactor;
  }
  inTime(() => detector.end());
  const sightings = [...detector.found.values()];
  return {
    index: episode.index,
    ticks: sim.tick,
    sightings,
    ran: pathsRun(sim),
    ...(sightings.length > 0 && { journal: endedJournal(recorder, records) }),
  };
}

/** The paths of the scripts and actions that have run, such as `scripts/reset` and `scripts/reset/2/then/0`. */
export function pathsRun(sim: Simulation): string[] {
  const { scripts, locations } = addCounts(emptyCounts(), { sim });
  return [...Object.keys(scripts), ...Object.keys(locations)];
}

const inputsOnly = { hashTicks: Number.MAX_SAFE_INTEGER, snapshotTicks: 0 };

/** Records the inputs of a simulation from now on. */
export function recordInputs(sim: Simulation): readonly TimedInput[] {
  const inputs: TimedInput[] = [];
  sim.journal((record) => {
    if (record.kind === 'inputs') for (const input of record.inputs) inputs.push({ tick: record.tick, input });
  }, inputsOnly);
  return inputs;
}

/** The bytes of a recording. If the engine has failed, the journal ends with the tick before. */
export function endedJournal(recorder: Recorder, records: readonly JournalRecord[]): Uint8Array {
  try {
    recorder.end();
  } catch {}
  return journalBytes(records);
}
