import { setImmediate as otherWork } from 'node:timers/promises';
import type { Case } from './cases.ts';
import { Games } from './games.ts';
import type { MutantTask } from './judge.ts';
import { type CaseResult, type PlayWishes, playCase, skipped } from './play-case.ts';
import type { CaseTask } from './worker.ts';

export interface RunOptions {
  readonly wishes: PlayWishes;
  /** Threads; 1 plays in this one. */
  readonly workers: number;
  /** Told of each result, in order of the cases: so that what is printed does not depend on the threads. */
  readonly onResult: (result: CaseResult) => void;
  /** Told when any has been played, in whatever order. */
  readonly onProgress?: ((done: number) => void) | undefined;
  readonly interrupted?: (() => boolean) | undefined;
}

/** A thread that starts costs as much as many small scenarios. */
const casesPerWorkerMin = 6;

/** Plays every case. The results are in the order of the cases, and the same for any number of threads. */
export async function runCases(cases: readonly Case[], options: RunOptions): Promise<CaseResult[]> {
  const workers = Math.min(options.workers, Math.floor(cases.length / casesPerWorkerMin));
  const results: (CaseResult | undefined)[] = new Array(cases.length).fill(undefined);
  let told = 0;
  let done = 0;
  const finish = (index: number, result: CaseResult): void => {
    results[index] = result;
    options.onProgress?.(++done);
    while (told < results.length && results[told] !== undefined) options.onResult(results[told++]!);
  };
  if (workers > 1) await inThreads(cases, workers, options, finish);
  else await here(cases, options, finish);
  return results.filter((result) => result !== undefined);
}

type Finish = (index: number, result: CaseResult) => void;

async function here(cases: readonly Case[], { wishes, interrupted }: RunOptions, finish: Finish): Promise<void> {
  const games = new Games();
  for (const [index, each] of cases.entries()) {
    if (interrupted?.()) return;
    finish(index, each.skip === undefined ? playCase(each, games, wishes) : skipped(each));
    // Signals and the terminal get their turn.
    await otherWork();
  }
}

async function inThreads(cases: readonly Case[], workers: number, options: RunOptions, finish: Finish): Promise<void> {
  const { wishes, interrupted } = options;
  const pool = await openPool(workers);
  try {
    await Promise.all(
      cases.map(async (each, index) => {
        if (each.skip !== undefined) finish(index, skipped(each));
        else if (!interrupted?.()) finish(index, await pool.play({ case: each, wishes }));
      }),
    );
  } finally {
    await pool.close();
  }
}

export interface Pool {
  play(task: CaseTask): Promise<CaseResult>;
  judge(task: MutantTask): Promise<string | undefined>;
  close(): Promise<void>;
}

/** Threads are loaded when they are wanted: most runs of few scenarios want none. */
export async function openPool(workers: number): Promise<Pool> {
  const [{ Tinypool }, { workerUrl }] = await Promise.all([import('tinypool'), import('./worker.ts')]);
  const pool = new Tinypool({
    filename: workerUrl,
    minThreads: workers,
    maxThreads: workers,
    runtime: 'worker_threads',
  });
  return {
    play: (task) => pool.run(task, { name: 'playInWorker' }) as Promise<CaseResult>,
    judge: (task) => pool.run(task, { name: 'judgeInWorker' }) as Promise<string | undefined>,
    close: () => pool.destroy(),
  };
}
