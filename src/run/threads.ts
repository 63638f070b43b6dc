import type { ThreadTask } from './thread-entry.ts';

export interface ThreadModule {
  /** The URL from which a thread imports the module. */
  readonly workerUrl: string;
}

interface ThreadWork<Task, Result> {
  /**
   * The imported module object that contains the function. Importing it makes the bundler emit it as a separate file.
   */
  readonly module: ThreadModule;
  /** The name of the function that takes a task. */
  readonly name: string;
  readonly count: number;
  /** Creates a task when a thread is free. Undefined ends the thread. */
  readonly taskOf: (index: number) => Task | undefined;
  readonly workers: number;
  /** Called when a task is done, in any order. */
  readonly onResult: (index: number, result: Result) => void;
  /** Aborts all threads immediately, even in the middle of a task. */
  readonly signal: AbortSignal;
}

/** Options of thread pools. Atomics are not used in Deno, where a thread that waits for them receives no messages. */
export const poolKind = { runtime: 'worker_threads', useAtomics: !('deno' in process.versions) } as const;

/** Whether threads can run a module. On Node 20, they cannot run TypeScript sources, from which tests run. */
export function canRunInThread({ workerUrl }: ThreadModule): boolean {
  return !workerUrl.endsWith('.ts');
}

/** The URL of a module. Takes the module object, so that the bundler keeps the whole module. */
export function addressOf({ workerUrl }: ThreadModule): string {
  return workerUrl;
}

/**
 * Runs tasks in several threads. A thread gets its next task only when it has finished one, because queueing all tasks
 * could mean a million of them.
 */
export async function runInThreads<Task, Result>(work: ThreadWork<Task, Result>): Promise<void> {
  const { module, name, count, taskOf, onResult, signal } = work;
  const threads = Math.min(work.workers, count);
  if (threads === 0 || signal.aborted) return;
  const { Tinypool } = await import('tinypool');
  const pool = new Tinypool({
    filename: addressOf(await import('./thread-entry.ts')),
    minThreads: threads,
    maxThreads: threads,
    ...poolKind,
  });
  let next = 0;
  const serve = async () => {
    while (next < count && !signal.aborted) {
      const index = next++;
      const task = taskOf(index);
      if (task === undefined) return;
      const threadTask: ThreadTask<Task> = { module: module.workerUrl, name, task };
      onResult(index, (await pool.run(threadTask, { name: 'work', signal })) as Result);
    }
  };
  try {
    await Promise.all(Array.from({ length: threads }, serve));
  } catch (error) {
    // Errors of threads that were aborted are expected.
    if (!signal.aborted) throw error;
  } finally {
    await pool.destroy();
  }
}
