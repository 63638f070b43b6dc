import { setImmediate as otherWork } from 'node:timers/promises';
import type { LoadedGame } from '../../../engine/index.ts';
import { canRunInThread, runInThreads } from '../../run/index.ts';
import { type ExploreResult, type ExploreTask, performTask } from './tasks.ts';

/** A task for a thread, and the function that receives its result. */
export interface Work {
  readonly task: ExploreTask;
  readonly take: (result: ExploreResult) => void;
}

export function work<Result extends ExploreResult>(task: ExploreTask, take: (result: Result) => void): Work {
  return { task, take: (result) => take(result as Result) };
}

interface Workers {
  readonly game: LoadedGame;
  readonly jobs: number;
  /** Aborting this signal asks all tasks to end and to return what they have. */
  readonly signal: AbortSignal;
}

/** How long a task may go on after it was asked to end, ms. Tasks check between ticks whether they were asked. */
const graceMs = 1000;

/** Gives tasks to free threads until there are none left. Resolves when all tasks have ended. */
export async function runWorks({ game, jobs, signal }: Workers, nextWork: () => Work | undefined): Promise<void> {
  const worker = await import('./worker.ts');
  if (!canRunInThread(worker)) {
    while (!signal.aborted) {
      const next = nextWork();
      if (next === undefined) return;
      next.take(performTask(game, next.task));
      await otherWork();
    }
    return;
  }
  const running = new Map<number, Work>();
  const asked = new Int32Array(new SharedArrayBuffer(4));
  const killed = new AbortController();
  let grace: NodeJS.Timeout | undefined;
  const end = () => {
    Atomics.store(asked, 0, 1);
    grace = setTimeout(() => killed.abort(), graceMs);
  };
  signal.addEventListener('abort', end);
  try {
    await runInThreads<ExploreTask, ExploreResult>({
      module: worker,
      name: 'exploreInWorker',
      count: Infinity,
      taskOf(index) {
        const next = signal.aborted ? undefined : nextWork();
        if (next !== undefined) running.set(index, next);
        return next && { ...next.task, asked };
      },
      workers: jobs,
      onResult(index, result) {
        running.get(index)!.take(result);
        running.delete(index);
      },
      signal: killed.signal,
    });
  } finally {
    clearTimeout(grace);
    signal.removeEventListener('abort', end);
  }
}

/** Passes results on in the order of their indices, even if they arrive in another order. */
export function inOrder<Result>(
  take: (result: Result, index: number) => void,
): (index: number, result: Result) => void {
  const waiting = new Map<number, Result>();
  let next = 0;
  return (index, result) => {
    waiting.set(index, result);
    for (; waiting.has(next); next++) {
      const passed = waiting.get(next)!;
      waiting.delete(next);
      take(passed, next);
    }
  };
}
