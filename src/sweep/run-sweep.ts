import { runInThreads } from '../run/index.ts';
import type { Outcome, Result, Setting, SweepPlan, SweepPlay } from './plan.ts';
import type { PlayTask } from './worker.ts';

interface SweepOptions {
  readonly plan: SweepPlan;
  readonly settings: readonly Setting[];
  readonly plays: readonly SweepPlay[];
  readonly workers: number;
  readonly onProgress: (done: number) => void;
  /** Aborted when the user interrupts. */
  readonly signal: AbortSignal;
}

/** Returns the results in the order of the runs, regardless of the number of threads; all of them unless aborted. */
export async function runSweep({
  plan,
  settings,
  plays,
  workers,
  onProgress,
  signal,
}: SweepOptions): Promise<Result[]> {
  const results = new Map<number, Result>();
  await runInThreads<PlayTask, Outcome>({
    module: await import('./worker.ts'),
    name: 'playInWorker',
    count: plays.length,
    taskOf(index) {
      const { point, seed } = plays[index]!;
      return { plan, changes: settings.map(({ path }, at) => ({ path, value: point[at] })), seed };
    },
    workers,
    onResult(index, outcome) {
      results.set(index, { ...plays[index]!, ...outcome });
      onProgress(results.size);
    },
    signal,
  });
  return plays.flatMap((_, index) => results.get(index) ?? []);
}
