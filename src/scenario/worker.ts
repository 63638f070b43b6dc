import type { Case } from './cases.ts';
import { Games } from './games.ts';
import { judge, type MutantTask } from './judge.ts';
import { type CaseResult, type PlayWishes, playCase } from './play-case.ts';

/** Where a thread finds this file, bundled or not. */
export const workerUrl = import.meta.url;

/** Those of one thread: a definition is read and compiled once in each. */
const games = new Games();

export interface CaseTask {
  readonly case: Case;
  readonly wishes: PlayWishes;
  /** Simulated ms of what each thread is playing, in memory that all share. */
  readonly playedMs: Int32Array;
  /** Which of them is this thread's. */
  readonly slot: number;
}

/** The work of a thread on a case. */
export function playInWorker({ case: given, wishes, playedMs, slot }: CaseTask): CaseResult {
  return playCase(given, games, wishes, { onTick: (nowMs) => Atomics.store(playedMs, slot, nowMs) });
}

/** The work of a thread on a mutant. */
export function judgeInWorker(task: MutantTask): string | undefined {
  return judge(task, games);
}
