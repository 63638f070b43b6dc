import type { LoadedGame } from '../../engine/index.ts';
import type { Sighting } from './detector.ts';
import { type EpisodeResult, playEpisode } from './episode.ts';
import { groundOf } from './ground.ts';
import type { InputRecording } from './input-recording.ts';
import { type Episode, type ExplorePlan, isSearch } from './plan.ts';
import { searchEpisode } from './search.ts';
import { replay, type Shrunk, shrinkFirst, type ToShrink } from './shrink.ts';

export type ExploreTask = { readonly plan: ExplorePlan } & (
  | { readonly kind: 'play'; readonly episode: Episode; readonly deadlineMs: number }
  | ({ readonly kind: 'shrink' } & ToShrink)
  | { readonly kind: 'replay'; readonly recording: InputRecording; readonly key: string }
);
export type ExploreResult = EpisodeResult | Shrunk | Sighting | undefined;

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
      return shrinkFirst(game, plan, task);
    case 'replay':
      return replay(plan, groundOf(game, plan), task.recording, task.key)?.sighting;
  }
}
