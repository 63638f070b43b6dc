import { Tinypool } from 'tinypool';
import type { Issue } from '../../engine/index.ts';
import type { ThreadTask } from '../run/thread-entry.ts';
import { poolKind } from '../run/threads.ts';
import type { CheckTask } from './check-thread.ts';

/**
 * In MB, for each half of the young generation. Reading a game creates tens of megabytes that are still in use when the
 * default of 16 MB is full, and copying them takes as long as a check.
 */
const youngGenerationMb = 256;

/** Checks definitions in a thread, so that completion and hover never wait for a check. */
export class Checker {
  private thread: Promise<(task: CheckTask) => Promise<readonly Issue[]>> | undefined;

  async issuesOf(task: CheckTask): Promise<readonly Issue[]> {
    this.thread ??= startThread();
    const run = await this.thread;
    return run(task);
  }
}

async function startThread(): Promise<(task: CheckTask) => Promise<readonly Issue[]>> {
  // Takes whole module objects, so that the bundler emits the modules as separate files.
  const addressOf = ({ workerUrl }: { readonly workerUrl: string }): string => workerUrl;
  const pool = new Tinypool({
    filename: addressOf(await import('../run/thread-entry.ts')),
    minThreads: 1,
    maxThreads: 1,
    ...poolKind,
    resourceLimits: { maxYoungGenerationSizeMb: youngGenerationMb },
  });
  const module = addressOf(await import('./check-thread.ts'));
  return (task) => {
    const work: ThreadTask<CheckTask> = { module, name: 'checkInThread', task };
    return pool.run(work, { name: 'work' }) as Promise<readonly Issue[]>;
  };
}
