import { setImmediate as otherWork } from 'node:timers/promises';
import { canRunInThread, runInThreads, type ThreadModule } from '../../run/index.ts';
import type { Case } from '../reading/cases.ts';
import { Games } from '../reading/games.ts';
import {
  type CaseResult,
  CaseStopped,
  type PlayCaseOptions,
  playDrawn,
  skipped,
  unknownNameFailure,
} from './play-case.ts';
import type { CaseTask } from './worker.ts';

interface RunOptions {
  readonly wishes: PlayCaseOptions;
  /** Maximum number of threads. */
  readonly workers: number;
  /** Called with each result, in the order of the cases, so that output does not depend on the threads. */
  readonly onResult: (result: CaseResult, index: number) => void;
  /** Called with the number of finished cases whenever it changes. */
  readonly onProgress?: ((done: number) => void) | undefined;
  /** Aborts the run, even in the middle of a case. */
  readonly signal: AbortSignal;
}

/**
 * Cases run in this thread for this long, in ms; the rest, including an interrupted slow case, goes to worker threads.
 * Short runs avoid the cost of threads, long runs use all of them, and this thread always reacts to an interrupt.
 */
const hereMsMax = 100;
/** The maximum number of failures that keep their recording, because each recording contains a whole definition. */
const recordingsMax = 12;

/**
 * Runs every case. Returns a result per case, independent of the number of threads; undefined for cases that an
 * interrupt prevented.
 */
export async function runCases(cases: readonly Case[], options: RunOptions): Promise<(CaseResult | undefined)[]> {
  const results: (CaseResult | undefined)[] = new Array(cases.length).fill(undefined);
  let reported = 0;
  let recordings = 0;
  let done = 0;
  const finish = (index: number, result: CaseResult) => {
    results[index] = result;
    options.onProgress?.(++done);
    for (let next = results[reported]; next !== undefined; next = results[reported]) {
      // Recordings are counted in the order of the cases, so that the choice does not depend on the threads.
      if (next.recording !== undefined && ++recordings > recordingsMax) next = { ...next, recording: undefined };
      results[reported] = next;
      options.onResult(next, reported++);
    }
  };
  const worker = await import('./worker.ts');
  const hereMs = canRunInThread(worker) ? hereMsMax : Infinity;
  const rest = await playHere(cases, hereMs, options, finish);
  await playInThreads(cases, rest, worker, options, finish);
  return results;
}

type Finish = (index: number, result: CaseResult) => void;

/** Runs cases in this thread for up to `hereMs`. Returns the indices of the cases that were not run. */
async function playHere(cases: readonly Case[], hereMs: number, { wishes, signal }: RunOptions, finish: Finish) {
  const games = new Games();
  const observer = {
    onTick() {
      if (performance.now() > end) throw new CaseStopped();
    },
  };
  const rest: number[] = [];
  // Unknown names are reported before anything runs.
  const known: number[] = [];
  for (const [index, each] of cases.entries()) {
    if (signal.aborted) return [];
    const wrong = each.skip === undefined ? unknownNameFailure(each, games) : skipped(each);
    if (wrong === undefined) known.push(index);
    else finish(index, wrong);
    await otherWork();
  }
  const end = performance.now() + hereMs;
  for (const index of known) {
    const each = cases[index]!;
    if (signal.aborted) return [];
    if (performance.now() > end) rest.push(index);
    else {
      try {
        finish(index, await playDrawn(each, games, wishes, observer));
      } catch (error) {
        if (!(error instanceof CaseStopped)) throw error;
        rest.push(index);
      }
    }
    // Yields, so that signals are handled and terminal output is written.
    await otherWork();
  }
  return rest;
}

async function playInThreads(
  cases: readonly Case[],
  rest: readonly number[],
  worker: ThreadModule,
  { wishes, workers, signal }: RunOptions,
  finish: Finish,
) {
  await runInThreads<CaseTask, CaseResult>({
    module: worker,
    name: 'playInWorker',
    count: rest.length,
    taskOf: (position) => ({ case: cases[rest[position]!]!, wishes }),
    workers,
    onResult: (position, result) => finish(rest[position]!, result),
    signal,
  });
}
