import { type CompiledCode, useCompiledCode } from '../machine/compiled-code.ts';

/** The URL of this file for starting threads, bundled or not. */
export const workerUrl = import.meta.url;

export interface ThreadTask<Task> {
  /** The URL of the module that does the work. */
  readonly module: string;
  /** The function of the module to call. */
  readonly name: string;
  readonly task: Task;
  readonly code: CompiledCode | undefined;
}

let hasCode = false;

/** The entry point of a worker thread. It enables the code cache before it loads the module that does the work. */
export async function work({ module, name, task, code }: ThreadTask<unknown>): Promise<unknown> {
  if (code !== undefined && !hasCode) useCompiledCode(code);
  hasCode = true;
  const functions = (await import(module)) as Record<string, (task: unknown) => unknown>;
  return functions[name]!(task);
}
