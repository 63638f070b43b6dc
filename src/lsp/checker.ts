import { Tinypool } from 'tinypool';
import { ProjectError } from '../check/index.ts';
import { addressOf, loadThreadEntry, poolKind, type ThreadTask } from '../run/index.ts';
import type { CheckResult, CheckTask } from './check-thread.ts';

/**
 * The size of each half of V8's young generation in MB. With the default of 16 MB, garbage is collected while a game is
 * read, when most of the objects are still in use, and copying these takes as long as a check.
 */
const youngGenerationMb = 256;

/** The time limit in ms for a check with the project's rules, which may contain an endless loop. */
const rulesMs = 30_000;

type Run = (task: CheckTask, signal?: AbortSignal) => Promise<CheckResult>;

/** Checks definitions in a thread, so that completion and hover never have to wait for a check. */
export class Checker {
  private thread: ReturnType<typeof startThread> | undefined;

  async check(task: CheckTask): Promise<Omit<CheckResult, 'codes'>> {
    this.thread ??= startThread();
    const { run } = await this.thread;
    if (task.rules.length === 0 && task.host === undefined) return run(task);
    const result = await checkedByRules(task);
    const { issues } = result;
    const [first] = issues;
    if (first?.code !== 'bad-rules' && first?.code !== 'bad-host') return result;
    return { issues: [...issues, ...(await run({ ...task, rules: [], host: undefined })).issues] };
  }
}

/**
 * Checks a definition with the rules and the host of a project, in a new thread that ends after the check, because the
 * project's code can end its thread or run forever. If the code cannot be used, the only issue is `bad-rules` or
 * `bad-host`.
 */
export async function checkedByRules(task: CheckTask): Promise<CheckResult> {
  const running = new Uint8Array(new SharedArrayBuffer(4096));
  const end = new AbortController();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    end.abort();
  }, rulesMs);
  const { run, pool } = await startThread();
  for (const thread of pool.threads) thread.once('exit', () => end.abort());
  try {
    return await run({ ...task, running }, end.signal);
  } catch (error) {
    const at = Buffer.from(running.buffer).toString().replaceAll('\0', '');
    if (at === '') throw error;
    const what = isLate
      ? `does not end within ${rulesMs / 1000} s`
      : 'stopped its own thread, for example with process.exit';
    return { issues: [new ProjectError(`${at} ${what}.`).issue], codes: [] };
  } finally {
    clearTimeout(timer);
    await pool.destroy();
  }
}

async function startThread() {
  const pool = new Tinypool({
    filename: addressOf(await loadThreadEntry()),
    minThreads: 1,
    maxThreads: 1,
    ...poolKind,
    resourceLimits: { maxYoungGenerationSizeMb: youngGenerationMb },
  });
  const module = addressOf(await import('./check-thread.ts'));
  const run: Run = (task, signal) => {
    const work: ThreadTask<CheckTask> = { module, name: 'checkInThread', task };
    return pool.run(work, { name: 'work', ...(signal && { signal }) }) as Promise<CheckResult>;
  };
  return { run, pool };
}
