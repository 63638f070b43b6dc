import type { LoadedGame } from '../../../engine/index.ts';
import { goalKey, type Sighting } from '../finding/detector.ts';
import { type EpisodeResult, pathsRun, recordInputs } from '../playing/episode.ts';
import { bindPlan } from '../playing/ground.ts';
import { PlayedEpisode } from '../playing/played-episode.ts';
import type { IsOver } from '../playing/time-limit.ts';
import { noteParts, type PartRange } from './goal-ranges.ts';
import { leadsTo, wordsIn } from './leads.ts';
import type { Episode, ExplorePlan } from './plan.ts';

/** Plays an episode towards a goal. In every second episode, the players look for what the goal is about. */
export function searchEpisode(
  game: LoadedGame,
  plan: ExplorePlan,
  episode: Episode,
  isOver: IsOver = () => false,
): EpisodeResult {
  const { index, seed } = episode;
  const interests =
    index % 2 === 0
      ? leadsTo(game.definition, ...wordsIn(`${plan.goal ?? ''} ${plan.objective?.expression ?? ''}`))
      : undefined;
  const play = new PlayedEpisode(game, plan, { ...episode, isAimed: false }, interests);
  const { sim } = play;
  const inputs = recordInputs(sim);
  const { goal, objective } = bindPlan(game, plan, () => sim);
  const sign = plan.objective?.direction === 'minimize' ? 1 : -1;
  const ranges = new Map<string, PartRange>();
  const secondTicks = Math.max(1, Math.round(sim.rate));
  const ticksMax = Math.min(episode.ticks, Math.round((plan.secondsMax ?? Infinity) * sim.rate));
  let best: Sighting | undefined;

  while (!sim.ended && sim.tick < ticksMax && !isOver()) {
    try {
      play.step();
    } catch {
      // A failure of the engine ends the play. Explorations for mistakes report such failures.
      break;
    }
    const { tick } = sim;
    if (goal && tick % secondTicks === 0) noteParts(ranges, goal);
    if (goal?.holds() === false) continue;
    const found = objective === undefined ? 0 : sign * (objective.number() ?? Infinity * sign);
    if (found < (best?.value === undefined ? Infinity : sign * best.value)) {
      const recording = { seed, ticks: tick, inputs: [...inputs] };
      const text = goal?.text ?? objective!.text;
      best = { key: goalKey(text), kind: 'goal', message: `${text} holds`, tick, recording, value: sign * found };
    }
    if (objective === undefined) break;
  }
  return {
    index,
    ticks: sim.tick,
    sightings: best === undefined ? [] : [best],
    ranges: [...ranges.values()],
    ran: pathsRun(sim),
  };
}
