import { changesOf, type Play, type Setting, type SweepPlan } from './plan.ts';
import type { Outcome } from './play-one.ts';
import { type Result, ResultsFile } from './results.ts';
import type { PlayTask } from './worker.ts';

export interface SweepOptions {
  readonly plan: SweepPlan;
  readonly settings: readonly Setting[];
  readonly plays: readonly Play[];
  readonly workers: number;
  /** What has been played, and where each result is kept at once. */
  readonly file: ResultsFile;
  readonly onProgress: (done: number) => void;
  /** Aborted when the user has enough. */
  readonly signal: AbortSignal;
}

/** Plays what has not been played. Gives the results there are, in the order of the plays, however many threads there were. */
export async function runSweep(options: SweepOptions): Promise<Result[]> {
  const { plays, file } = options;
  const missing = plays.filter((play) => !file.results.has(ResultsFile.key(play)));
  if (missing.length > 0 && !options.signal.aborted) await playAll(missing, options);
  return plays.flatMap((play) => file.results.get(ResultsFile.key(play)) ?? []);
}

/** Each thread gets its next play when it is done with one: a pool that has them all at once would hold a million tasks. */
async function playAll(plays: readonly Play[], options: SweepOptions): Promise<void> {
  const { plan, settings, file, signal, onProgress } = options;
  const [{ Tinypool }, { workerUrl }] = await Promise.all([import('tinypool'), import('./worker.ts')]);
  const threads = Math.min(options.workers, plays.length);
  const pool = new Tinypool({
    filename: workerUrl,
    minThreads: threads,
    maxThreads: threads,
    runtime: 'worker_threads',
  });
  let next = 0;
  let done = 0;
  const work = async (): Promise<void> => {
    while (next < plays.length && !signal.aborted) {
      const play = plays[next++]!;
      const task: PlayTask = { plan, changes: changesOf(settings, play.point), seed: play.seed };
      const { ticks, ending, answers }: Outcome = await pool.run(task, { name: 'playInWorker', signal });
      file.add({ ...play, ticks, ending, answers });
      onProgress(++done);
    }
  };
  try {
    await Promise.all(Array.from({ length: threads }, work));
  } catch (error) {
    // A thread that was stopped in the middle of a play has nothing to say.
    if (!signal.aborted) throw error;
  } finally {
    await pool.destroy();
  }
}
