import type { LoadedGame } from '../../../engine/index.ts';
import type { Sighting } from '../finding/detector.ts';
import { type Finding, replay, shrink, type ToShrink } from '../finding/shrink.ts';
import { type EpisodeResult, playEpisode } from '../playing/episode.ts';
import { groundOf } from '../playing/ground.ts';
import type { InputRecording } from '../playing/input-recording.ts';
import { inTime, isOverAt } from '../playing/time-limit.ts';
import { type Episode, type ExplorePlan, isSearch } from './plan.ts';
import { searchEpisode } from './search.ts';

export type ExploreTask = {
  readonly plan: ExplorePlan;
  /** When the task must end, in ms since 1970. */
  readonly deadlineMs: number;
  /** Shared memory; the value 1 asks the task to end as soon as possible. */
  readonly asked?: Int32Array;
} & (
  | { readonly kind: 'play'; readonly episode: Episode }
  | ({ readonly kind: 'shrink' } & ToShrink)
  | { readonly kind: 'replay'; readonly recording: InputRecording; readonly key: string }
);
/** The result of a task; `'cut'` means that the task ran out of time. */
export type ExploreResult = EpisodeResult | Finding | Sighting | 'cut' | undefined;

export function performTask(game: LoadedGame, task: ExploreTask): ExploreResult {
  const { plan } = task;
  const isOver = isOverAt(task.deadlineMs, task.asked);
  switch (task.kind) {
    case 'play':
      return (isSearch(plan) ? searchEpisode : playEpisode)(game, plan, task.episode, isOver);
    case 'shrink':
      return inTimeOrCut(() => shrink(game, plan, task, isOver));
    case 'replay':
      return inTimeOrCut(() => replay(plan, groundOf(game, plan), task.recording, task.key, { isOver })?.sighting);
  }
}

function inTimeOrCut<Result>(result: () => Result): Result | 'cut' {
  const given = inTime(() => [result()]);
  return given === undefined ? 'cut' : given[0]!;
}
