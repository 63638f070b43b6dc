import { RandomStream } from '../../../engine/core/index.ts';
import { type JournalRecord, type LoadedGame, playCounts, type Simulation, scriptsIn } from '../../../engine/index.ts';
import { goalKey, type Sighting } from '../finding/detector.ts';
import type { EpisodeResult } from '../playing/episode.ts';
import { bindPlan } from '../playing/ground.ts';
import type { TimedInput } from '../playing/input-recording.ts';
import { PlayedEpisode } from '../playing/played-episode.ts';
import type { IsOver } from '../playing/time-limit.ts';
import { GoalRanges } from './goal-ranges.ts';
import { leadsTo, wordsIn } from './leads.ts';
import type { Episode, ExplorePlan } from './plan.ts';

const looksPerSecond = 4;
const momentsMax = 16;
/**
 * After this long without progress, a search goes back to an earlier moment. Each time, the wait gets longer by the
 * factor.
 */
const patienceSeconds = 8;
const patienceFactor = 1.3;
/** How often a search goes back to the latest of its best moments, rather than to any of them. */
const lastShare = 0.6;
/** Players who look for something stay in the game this many times as long. */
const stayFactor = 20;

/** A play, and all inputs that led to its current state. */
interface Line {
  readonly play: PlayedEpisode;
  readonly inputs: TimedInput[];
}

/**
 * Plays an episode towards a goal; its bots look for what the goal is about. If there is an objective, every second
 * episode repeatedly goes back to its best moments and continues from there in other ways.
 */
export function searchEpisode(
  game: LoadedGame,
  plan: ExplorePlan,
  episode: Episode,
  isOver: IsOver = () => false,
): EpisodeResult {
  const { index, seed } = episode;
  const random = new RandomStream(`${seed}/search`);
  const texts = [plan.goal ?? [], plan.objective?.expression ?? []].flat();
  const interests = random.chance(0.75) ? leadsTo(game.definition, texts.flatMap(wordsIn)) : undefined;
  // Players who leave lose what they have gained.
  const traits = episode.traits.map((each) => ({ ...each, stay: each.stay * stayFactor }));
  const start = interests === undefined ? episode : { ...episode, traits };
  let line = started(new PlayedEpisode(game, plan, start, { interests }));
  const { goal, objective } = bindPlan(game, plan, () => line.play.sim);
  const sign = plan.objective?.direction === 'minimize' ? 1 : -1;
  // If time is to be minimised, later moments of a play cannot be better, so going back is of no use.
  const isTime = sign === 1 && ['time', 'tick'].includes(objective?.text.trim() ?? '');
  const countsEvents = goal?.countsEvents === true || objective?.countsEvents === true;
  const goesBack = index % 2 === 1 && objective !== undefined && !isTime && !countsEvents;
  const ranges = goal && new GoalRanges(goal);
  const ran = new Set<string>();
  const { rate } = line.play.sim;
  const lookTicks = Math.max(1, Math.round(rate / looksPerSecond));
  let linesTicks = Math.min(episode.ticks, Math.round((plan.secondsMax ?? Number.POSITIVE_INFINITY) * rate));
  let moments: Line[] = [];
  let best: Sighting | undefined;
  /** The best value so far. Values have their sign changed if the objective is maximised, so less is always better. */
  let least: number | undefined;
  let played = 0;
  let quietTicks = 0;
  let patienceTicks = patienceSeconds * rate;

  const value = (): number => sign * (objective?.number() ?? Number.POSITIVE_INFINITY * sign);
  for (;;) {
    const { sim } = line.play;
    const isLate = sim.ended || sim.tick >= linesTicks || played >= episode.ticks;
    const isLost = goesBack && moments.length > 0 && quietTicks > patienceTicks;
    if (isLate || isLost) {
      noteRan(ran, sim);
      if (!goesBack || moments.length === 0 || played >= episode.ticks) break;
      moments = moments.filter(({ play }) => play.sim.tick < linesTicks);
      const from = random.chance(lastShare) ? moments.at(-1) : random.pick(moments);
      if (from === undefined) break;
      const options = { from: { of: from.play, seed: `${seed}/${played}` } };
      line = started(new PlayedEpisode(game, plan, episode, options), from);
      if (isLost) patienceTicks *= patienceFactor;
      quietTicks = 0;
      continue;
    }
    if (played % lookTicks === 0 && isOver()) {
      noteRan(ran, sim);
      break;
    }
    try {
      line.play.step();
    } catch {
      // A search ignores failures of the engine: `reenact explore` reports them.
      break;
    }
    played++;
    quietTicks++;
    const { tick } = sim;
    if (tick % Math.max(1, Math.round(rate)) === 0) ranges?.look();
    if (goal === undefined || goal.holds()) {
      const found = objective === undefined ? 0 : value();
      if (found < (best?.value === undefined ? Number.POSITIVE_INFINITY : sign * best.value)) {
        const recording = { seed, ticks: tick, inputs: [...line.inputs] };
        const text = goal?.text ?? objective!.text;
        best = { key: goalKey(text), kind: 'goal', message: `${text} holds`, tick, recording, value: sign * found };
      }
      if (objective === undefined) {
        noteRan(ran, sim);
        break;
      }
      if (isTime) linesTicks = Math.min(linesTicks, tick - 1);
    }
    if (!goesBack || tick % lookTicks !== 0 || goal?.holds() === false) continue;
    const worth = value();
    // The first value is the starting point; reaching it is no progress.
    const isBetter = least !== undefined && worth < least;
    least = Math.min(worth, least ?? worth);
    if (!isBetter) continue;
    quietTicks = 0;
    moments.push(started(new PlayedEpisode(game, plan, episode, { from: { of: line.play, seed } }), line));
    if (moments.length > momentsMax) moments = moments.filter((_, i) => i % 2 === 1);
  }
  return {
    index,
    ticks: played,
    sightings: best === undefined ? [] : [best],
    ranges: ranges?.list() ?? [],
    ran: [...ran],
  };
}

function noteRan(ran: Set<string>, sim: Simulation): void {
  const counts = playCounts(sim).scripts;
  for (const [i, { place }] of scriptsIn(sim).scripts.entries()) if (counts[i]! > 0) ran.add(place);
}

function started(play: PlayedEpisode, before?: Line): Line {
  const inputs = [...(before?.inputs ?? [])];
  const put = (record: JournalRecord): void => {
    if (record.kind === 'inputs') for (const input of record.inputs) inputs.push({ tick: record.tick, input });
  };
  play.sim.journal(put, { hashTicks: Number.MAX_SAFE_INTEGER, snapshotTicks: 0 });
  return { play, inputs };
}
