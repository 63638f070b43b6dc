import { judge, type MutantTask } from '../judging/mutant-judge.ts';
import type { Case } from '../reading/cases.ts';
import { Games } from '../reading/games.ts';
import { type CaseResult, type PlayCaseOptions, playDrawn } from './play-case.ts';

/** The URL of this file for starting threads, bundled or not. */
export const workerUrl = import.meta.url;

/** Lives as long as the thread, so that the thread reads and compiles each definition only once. */
const games = new Games();

export interface CaseTask {
  readonly case: Case;
  readonly wishes: PlayCaseOptions;
}

/** Runs a case in a worker thread. */
export function playInWorker({ case: given, wishes }: CaseTask): Promise<CaseResult> {
  return playDrawn(given, games, wishes);
}

/** Tests a mutant in a worker thread. For the result, see `judge`. */
export function judgeInWorker(task: MutantTask): string | undefined {
  return judge(task, games);
}
