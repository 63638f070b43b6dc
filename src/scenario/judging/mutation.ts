import { setImmediate as otherWork } from 'node:timers/promises';
import { canRunInThread, runInThreads } from '../../run/index.ts';
import type { CaseResult } from '../playing/play-case.ts';
import type { Case } from '../reading/cases.ts';
import { Games } from '../reading/games.ts';
import { judge, type MutantTask } from './mutant-judge.ts';
import { type Mutant, mutantsOf } from './mutants.ts';

export interface MutantResult extends Omit<Mutant, 'path' | 'value'> {
  /** The title of the scenario that detected the change; undefined if none did. */
  readonly noticedBy: string | undefined;
  /**
   * Which scenarios run the changed code: `passing` if at least one passes without the change, so that it can detect
   * the change; `failing` if all of them fail without it; `none` if no scenario runs it.
   */
  readonly ranBy: 'passing' | 'failing' | 'none';
}

/** The result of mutation testing for one game. */
export interface MutationReport {
  readonly game: string;
  /** The number of mutants of the game. After an interrupt, it is larger than `total`. */
  readonly planned: number;
  /** Scenarios of the game that were excluded, because they fail without any change. */
  readonly leftOut: number;
  /** The number of mutants that were tested. */
  readonly total: number;
  readonly noticed: number;
  /** Mutants that no scenario detected. */
  readonly unnoticed: readonly MutantResult[];
}

export interface MutationOptions {
  readonly workers: number;
  readonly onProgress: (done: number, total: number) => void;
  /** Aborts the run, even in the middle of a case; the report contains the mutants tested so far. */
  readonly signal: AbortSignal;
}

/** A mutant counts as detected if it makes a scenario take this many times longer. */
const slowness = 10;
const wallMsMin = 2000;

/**
 * Tests each mutant: runs the scenarios that reach the changed code, the fastest first, until one fails. `results` are
 * those of the unchanged game, with counts; scenarios that fail there are excluded.
 */
export async function mutate(
  game: string,
  cases: readonly Case[],
  results: readonly CaseResult[],
  { workers, onProgress, signal }: MutationOptions,
): Promise<MutationReport> {
  const games = new Games();
  const mutants = mutantsOf(games.game({ game, host: cases.find((each) => each.game === game)?.host }).definition);
  const useful = cases
    .map((each, i) => ({ each, result: results[i]! }))
    .filter(({ each, result }) => each.game === game && result.outcome === 'passed' && each.knownFailure === undefined)
    .sort((a, b) => a.result.ticks - b.result.ticks);
  const tasks = mutants.map(({ path, value, location }): MutantTask => {
    const covering = useful.filter(({ result }) => (result.counts?.locations[location] ?? 0) > 0);
    return { game, path, value, cases: covering.map(({ each, result }) => limited(each, result)) };
  });
  const judged = new Map<number, MutantResult>();
  const ranBy = (index: number): MutantResult['ranBy'] => {
    if (tasks[index]!.cases.length > 0) return 'passing';
    const { location } = mutants[index]!;
    const runs = (i: number) => cases[i]!.game === game && (results[i]!.counts?.locations[location] ?? 0) > 0;
    return cases.some((_, i) => runs(i)) ? 'failing' : 'none';
  };
  const finish = (index: number, noticedBy: string | undefined) => {
    const { path: _path, value: _value, ...mutant } = mutants[index]!;
    judged.set(index, { ...mutant, noticedBy, ranBy: ranBy(index) });
    onProgress(judged.size, mutants.length);
  };
  const worker = await import('../playing/worker.ts');
  if (canRunInThread(worker)) {
    await runInThreads<MutantTask, string | undefined>({
      module: worker,
      name: 'judgeInWorker',
      count: tasks.length,
      taskOf: (index) => tasks[index]!,
      workers,
      onResult: finish,
      signal,
    });
  } else await judgeHere(tasks, games, finish, signal);
  const played = mutants.flatMap((_, index) => judged.get(index) ?? []);
  const unnoticed = played.filter(({ noticedBy }) => noticedBy === undefined);
  return {
    game,
    planned: mutants.length,
    leftOut: cases.filter(({ game: of }, i) => of === game && results[i]?.outcome !== 'skipped').length - useful.length,
    total: played.length,
    noticed: played.length - unnoticed.length,
    unnoticed,
  };
}

function limited(each: Case, { wallMs }: CaseResult): Case {
  const most = Math.max(wallMsMin, wallMs * slowness);
  return { ...each, budget: { ...each.budget, wallMs: Math.min(each.budget.wallMs ?? most, most) } };
}

/** Judges the mutants in this thread. Used when this program runs from TypeScript sources, which threads cannot run. */
async function judgeHere(
  tasks: readonly MutantTask[],
  games: Games,
  finish: (index: number, noticedBy: string | undefined) => void,
  signal: AbortSignal,
) {
  for (const [index, task] of tasks.entries()) {
    if (signal.aborted) return;
    finish(index, judge(task, games));
    // Yields, so that signals are handled and terminal output is written.
    await otherWork();
  }
}
