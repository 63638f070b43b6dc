import { type CompiledCode, useCompiledCode } from '../machine/compiled-code.ts';

/** Where a thread finds this file, bundled or not. */
export const workerUrl = import.meta.url;

export interface ThreadTask<Task> {
  /** The address of the module that does the work. */
  readonly module: string;
  /** Its function that takes the task. */
  readonly name: string;
  readonly task: Task;
  readonly code: CompiledCode | undefined;
}

let hasCode = false;

/** The first that a thread loads. So the module of the work, with all it needs, has the compiled code of the process. */
export async function work({ module, name, task, code }: ThreadTask<unknown>): Promise<unknown> {
  if (code !== undefined && !hasCode) useCompiledCode(code);
  hasCode = true;
  const functions = (await import(module)) as Record<string, (task: unknown) => unknown>;
  return functions[name]!(task);
}
