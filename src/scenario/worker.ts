import type { Case } from './cases.ts';
import { Games } from './games.ts';
import { type CaseResult, type PlayWishes, playCase } from './play-case.ts';

/** Where a thread finds this file, bundled or not. */
export const workerUrl = import.meta.url;

/** Those of one thread: a definition is read and compiled once in each. */
const games = new Games();

export interface WorkerTask {
  readonly case: Case;
  readonly wishes: PlayWishes;
  /** In place of the game's file; with a number that changes when it does. */
  readonly document?: { readonly version: number; readonly content: unknown } | undefined;
}

let version = -1;

/** What a thread does with a task. */
export function playInWorker({ case: given, wishes, document }: WorkerTask): CaseResult {
  if (document !== undefined && document.version !== version) {
    games.replace(given.game, document.content);
    version = document.version;
  }
  return playCase(given, games, wishes);
}
