import { compiledCode } from '../machine/compiled-code.ts';
import type { ThreadTask } from './thread-entry.ts';

export interface ThreadModule {
  /** Where a thread finds the module. */
  readonly workerUrl: string;
}

interface ThreadWork<Task, Result> {
  /** The whole module that has the function, imported by itself. So it is a file of its own, with all it has, when all is bundled. */
  readonly module: ThreadModule;
  /** The name of the module's function that takes a task. */
  readonly name: string;
  readonly count: number;
  /** A task, when its turn has come; `slot` is the number of the thread, from 0 on. */
  readonly taskOf: (index: number, slot: number) => Task;
  readonly workers: number;
  /** Called as soon as a task is done, in whatever order. */
  readonly onResult: (index: number, result: Result) => void;
  /** Stops all threads at once when it is aborted, also in the middle of a task. */
  readonly signal: AbortSignal;
}

/** Whether threads can run a module: the sources of the tests they cannot, on Node 20. */
export function canRunInThread({ workerUrl }: ThreadModule): boolean {
  return !workerUrl.endsWith('.ts');
}

/** Asked of the whole module, so that a bundle holds all of it. */
function addressOf({ workerUrl }: ThreadModule): string {
  return workerUrl;
}

/** Does tasks on several threads. Each gets its next when it is done with one: a pool that had all at once would hold a million. */
export async function inThreads<Task, Result>(work: ThreadWork<Task, Result>): Promise<void> {
  const { module, name, count, taskOf, onResult, signal } = work;
  const threads = Math.min(work.workers, count);
  if (threads === 0 || signal.aborted) return;
  const { Tinypool } = await import('tinypool');
  const code = compiledCode();
  const pool = new Tinypool({
    filename: addressOf(await import('./thread-entry.ts')),
    minThreads: threads,
    maxThreads: threads,
    runtime: 'worker_threads',
  });
  let next = 0;
  const serve = async (slot: number): Promise<void> => {
    while (next < count && !signal.aborted) {
      const index = next++;
      const task: ThreadTask<Task> = { module: module.workerUrl, name, task: taskOf(index, slot), code };
      onResult(index, (await pool.run(task, { name: 'work', signal })) as Result);
    }
  };
  try {
    await Promise.all(Array.from({ length: threads }, (_, slot) => serve(slot)));
  } catch (error) {
    // A thread that was stopped in the middle of a task has nothing to say.
    if (!signal.aborted) throw error;
  } finally {
    await pool.destroy();
  }
}
