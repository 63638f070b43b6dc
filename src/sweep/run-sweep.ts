import { inThreads } from '../run/threads.ts';
import { changesOf, type Play, type Setting, type SweepPlan } from './plan.ts';
import type { Outcome } from './play-one.ts';
import { type Result, ResultsFile } from './results.ts';
import type { PlayTask } from './worker.ts';

interface SweepOptions {
  readonly plan: SweepPlan;
  readonly settings: readonly Setting[];
  readonly plays: readonly Play[];
  readonly workers: number;
  /** The file of the results so far, where each new one is kept at once. */
  readonly file: ResultsFile;
  readonly onProgress: (done: number) => void;
  /** Aborted when the user has enough. */
  readonly signal: AbortSignal;
}

/** Plays what has not been played. Gives the results there are, in the order of the plays, however many threads there were. */
export async function runSweep(options: SweepOptions): Promise<Result[]> {
  const { plays, file } = options;
  const missing = plays.filter((play) => !file.results.has(ResultsFile.key(play)));
  await playAll(missing, options);
  return resultsOf(plays, file.results);
}

/** The results that there are of plays, in their order. */
export function resultsOf(plays: readonly Play[], results: ReadonlyMap<string, Result>): Result[] {
  return plays.flatMap((play) => results.get(ResultsFile.key(play)) ?? []);
}

async function playAll(plays: readonly Play[], options: SweepOptions): Promise<void> {
  const { plan, settings, file, signal, workers, onProgress } = options;
  const worker = await import('./worker.ts');
  let done = 0;
  await inThreads<PlayTask, Outcome>({
    module: worker,
    name: 'playInWorker',
    count: plays.length,
    taskOf: (index) => ({ plan, changes: changesOf(settings, plays[index]!.point), seed: plays[index]!.seed }),
    workers,
    onResult(index, { ticks, ending, answers }) {
      file.add({ ...plays[index]!, ticks, ending, answers });
      onProgress(++done);
    },
    signal,
  });
}
