import { enableCompileCache } from '../machine/index.ts';

/** The URL of this file for starting threads, bundled or not. */
export const workerUrl = import.meta.url;

export interface ThreadTask<Task> {
  /** The URL of the module that does the work. */
  readonly module: string;
  /** The function of the module to call. */
  readonly name: string;
  readonly task: Task;
}

// Called before the module that does the work is loaded, so that its compiled code is cached, too.
enableCompileCache?.();

/** The entry point of a worker thread. */
export async function work({ module, name, task }: ThreadTask<unknown>): Promise<unknown> {
  const functions = (await import(module)) as Record<string, (task: unknown) => unknown>;
  return functions[name]!(task);
}
