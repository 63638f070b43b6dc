import type { LoadedGame } from '../../engine/index.ts';
import type { Sighting } from './detector.ts';
import { type EpisodeResult, playEpisode } from './episode.ts';
import { groundOf } from './ground.ts';
import type { InputRecording } from './input-recording.ts';
import { type Episode, type ExplorePlan, isSearch } from './plan.ts';
import { searchEpisode } from './search.ts';
import { type Finding, replay, shrinkAll } from './shrink.ts';

export type ExploreTask = { readonly plan: ExplorePlan } & (
  | { readonly kind: 'play'; readonly episode: Episode; readonly deadlineMs: number }
  | {
      readonly kind: 'shrink';
      readonly episode: Episode;
      readonly sightings: readonly Sighting[];
      readonly ticksMax: number;
    }
  | { readonly kind: 'replay'; readonly recording: InputRecording; readonly key: string }
);
export type ExploreResult = EpisodeResult | (Finding | undefined)[] | Sighting | undefined;

export function performTask(game: LoadedGame, task: ExploreTask): ExploreResult {
  const { plan } = task;
  switch (task.kind) {
    case 'play':
      return (isSearch(plan) ? searchEpisode : playEpisode)(
        game,
        plan,
        task.episode,
        () => performance.timeOrigin + performance.now() > task.deadlineMs,
      );
    case 'shrink':
      return shrinkAll(game, plan, task.episode, task.sightings, task.ticksMax);
    case 'replay':
      return replay(plan, groundOf(game, plan), task.recording, task.key)?.sighting;
  }
}
