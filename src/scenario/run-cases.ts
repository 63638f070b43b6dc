import { setImmediate as otherWork } from 'node:timers/promises';
import { canRunInThread, inThreads, type ThreadModule } from '../run/threads.ts';
import type { Case } from './cases.ts';
import { Games } from './games.ts';
import { type CaseResult, type PlayWishes, playCase, skipped, TookTooLong, unplayable } from './play-case.ts';
import { Playing } from './playing.ts';
import type { CaseTask } from './worker.ts';

interface RunOptions {
  readonly wishes: PlayWishes;
  /** Threads at most. */
  readonly workers: number;
  /** Called with each result, in the order of the cases, so that the printed text does not depend on the threads. */
  readonly onResult: (result: CaseResult, index: number) => void;
  readonly onProgress?: ((progress: CaseProgress) => void) | undefined;
  /** Ends the run when it is aborted, also in the middle of a case. */
  readonly signal: AbortSignal;
}

export interface CaseProgress {
  /** Cases that have been played, in whatever order. */
  readonly done: number;
  /** One that is being played, and how far it is. */
  readonly playing?: { readonly title: string; readonly simulatedSeconds: number };
}

/**
 * Cases are played in this thread for so long, ms; what is left then goes to threads, with the case that took longest. Short runs do not pay
 * for threads, long ones have all of them, and this one always notices an interrupt.
 */
const hereMsMax = 100;
const progressMs = 100;
/** Plays of failures that are kept to be watched: each has a whole definition, and a person watches no more. */
const recordingsMax = 12;

/** Plays every case. Gives a result for each, the same for any number of threads; undefined for what an interrupt kept from being played. */
export async function runCases(cases: readonly Case[], options: RunOptions): Promise<(CaseResult | undefined)[]> {
  const results: (CaseResult | undefined)[] = new Array(cases.length).fill(undefined);
  let reported = 0;
  let recordings = 0;
  let done = 0;
  const finish = (index: number, result: CaseResult): void => {
    results[index] = result;
    options.onProgress?.({ done: ++done });
    for (let next = results[reported]; next !== undefined; next = results[reported]) {
      // By their order, so that it does not depend on the threads which are kept.
      if (next.recording !== undefined && ++recordings > recordingsMax) next = { ...next, recording: undefined };
      results[reported] = next;
      options.onResult(next, reported++);
    }
  };
  const worker = await import('./worker.ts');
  const hereMs = canRunInThread(worker) ? hereMsMax : Number.POSITIVE_INFINITY;
  const rest = await playHere(cases, hereMs, options, finish);
  await playInThreads(cases, rest, worker, options, finish);
  return results;
}

type Finish = (index: number, result: CaseResult) => void;

/** Gives the positions of the cases that have not been played. */
async function playHere(
  cases: readonly Case[],
  hereMs: number,
  { wishes, signal }: RunOptions,
  finish: Finish,
): Promise<number[]> {
  const games = new Games();
  const watcher = {
    onTick() {
      if (performance.now() > end) throw new TookTooLong();
    },
  };
  const rest: number[] = [];
  // A misspelling is reported before anything is played.
  const known: number[] = [];
  for (const [index, each] of cases.entries()) {
    if (signal.aborted) return [];
    const wrong = each.skip === undefined ? unplayable(each, games) : skipped(each);
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
        finish(index, playCase(each, games, wishes, watcher));
      } catch (error) {
        if (!(error instanceof TookTooLong)) throw error;
        rest.push(index);
      }
    }
    // Signals and the terminal get their turn.
    await otherWork();
  }
  return rest;
}

async function playInThreads(
  cases: readonly Case[],
  rest: readonly number[],
  worker: ThreadModule,
  { wishes, workers, signal, onProgress }: RunOptions,
  finish: Finish,
): Promise<void> {
  const playing = new Playing(workers);
  let done = cases.length - rest.length;
  const timer = setInterval(() => {
    const now = playing.furthest();
    if (now === undefined) return;
    onProgress?.({ done, playing: { title: cases[now.index]!.title, simulatedSeconds: now.simulatedSeconds } });
  }, progressMs);
  try {
    await inThreads<CaseTask, CaseResult>({
      module: worker,
      name: 'playInWorker',
      count: rest.length,
      taskOf(position, slot) {
        const index = rest[position]!;
        playing.begin(slot, index);
        return { case: cases[index]!, wishes, playedMs: playing.playedMs, slot };
      },
      workers,
      onResult(position, result) {
        done += 1;
        playing.end(rest[position]!);
        finish(rest[position]!, result);
      },
      signal,
    });
  } finally {
    clearInterval(timer);
  }
}
