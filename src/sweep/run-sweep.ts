import { runInThreads } from '../run/index.ts';
import { changesOf, type Setting, type SweepPlan, type SweepPlay } from './plan.ts';
import type { Outcome } from './play-one.ts';
import { type Result, ResultsFile } from './results.ts';
import type { PlayTask } from './worker.ts';

interface SweepOptions {
  readonly plan: SweepPlan;
  readonly settings: readonly Setting[];
  readonly plays: readonly SweepPlay[];
  readonly workers: number;
  /** The results file, to which each new result is appended immediately. */
  readonly file: ResultsFile;
  readonly onProgress: (done: number) => void;
  /** Aborted when the user interrupts. */
  readonly signal: AbortSignal;
}

/** Performs the missing runs. Returns all results in the order of the runs, regardless of the number of threads. */
export async function runSweep(options: SweepOptions): Promise<Result[]> {
  const { plays, file } = options;
  const missing = plays.filter((play) => !file.results.has(ResultsFile.key(play)));
  await playAll(missing, options);
  return resultsOf(plays, file.results);
}

/** The available results, in the order of the runs. */
export function resultsOf(plays: readonly SweepPlay[], results: ReadonlyMap<string, Result>): Result[] {
  return plays.flatMap((play) => results.get(ResultsFile.key(play)) ?? []);
}

async function playAll(plays: readonly SweepPlay[], options: SweepOptions): Promise<void> {
  const { plan, settings, file, signal, workers, onProgress } = options;
  const worker = await import('./worker.ts');
  let done = 0;
  await runInThreads<PlayTask, Outcome>({
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
