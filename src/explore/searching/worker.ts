import { Games } from '../../scenario/index.ts';
import { type ExploreResult, type ExploreTask, performTask } from './tasks.ts';

/** The URL of this module, from which threads are started, whether bundled or not. */
export const workerUrl = import.meta.url;

/** Each thread reads and compiles a definition once. */
const games = new Games();

export function exploreInWorker(task: ExploreTask): ExploreResult {
  return performTask(games.game(task.plan), task);
}
