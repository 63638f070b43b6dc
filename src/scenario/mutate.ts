import { setImmediate as otherWork } from 'node:timers/promises';
import type { Case } from './cases.ts';
import { Games } from './games.ts';
import { judge, type MutantTask } from './judge.ts';
import { type Mutant, mutantsOf } from './mutants.ts';
import type { CaseResult } from './play-case.ts';
import { openPool } from './run-cases.ts';

export interface MutantResult extends Omit<Mutant, 'path' | 'value'> {
  /** Title of the scenario that noticed; undefined for none. */
  readonly noticedBy: string | undefined;
  /** No scenario runs what was changed. */
  readonly isUncovered: boolean;
}

/** What scenarios notice of changes to a game's logic. */
export interface MutationReport {
  readonly game: string;
  readonly total: number;
  readonly noticed: number;
  /** Changes that no scenario noticed. */
  readonly unnoticed: readonly MutantResult[];
}

export interface MutationOptions {
  readonly workers: number;
  readonly onProgress: (done: number, total: number) => void;
  readonly interrupted: () => boolean;
}

/** A change may make a game run wild: a mutant that takes this many times as long has been noticed. */
const slowness = 10;
const wallMsMin = 2000;

/**
 * Changes one thing at a time and plays the scenarios of the game that ran it, the quickest first, until one fails. `results` are those of
 * the unchanged game, with counts; scenarios that failed there say nothing and are left out.
 */
export async function mutate(
  game: string,
  cases: readonly Case[],
  results: readonly CaseResult[],
  { workers, onProgress, interrupted }: MutationOptions,
): Promise<MutationReport> {
  const games = new Games();
  const mutants = mutantsOf(games.game(game, undefined).definition);
  const useful = cases
    .map((each, i) => ({ each, result: results[i]! }))
    .filter(({ each, result }) => each.game === game && result.outcome === 'passed' && each.knownFailure === undefined)
    .sort((a, b) => a.result.ticks - b.result.ticks);
  const tasks = mutants.map(({ path, value, location }): MutantTask => {
    const covering = useful.filter(({ result }) => (result.counts?.locations[location] ?? 0) > 0);
    return { game, path, value, cases: covering.map(({ each, result }) => limited(each, result)) };
  });
  let done = 0;
  const judged: MutantResult[] = [];
  const finish = (index: number, noticedBy: string | undefined): void => {
    const { path: _path, value: _value, ...told } = mutants[index]!;
    judged[index] = { ...told, noticedBy, isUncovered: tasks[index]!.cases.length === 0 };
    onProgress(++done, mutants.length);
  };
  if (workers > 1) await inThreads(tasks, workers, finish, interrupted);
  else await here(tasks, games, finish, interrupted);
  const finished = judged.filter((each) => each !== undefined);
  return {
    game,
    total: finished.length,
    noticed: finished.filter(({ noticedBy }) => noticedBy !== undefined).length,
    unnoticed: finished.filter(({ noticedBy }) => noticedBy === undefined),
  };
}

function limited(each: Case, { wallMs }: CaseResult): Case {
  const most = Math.max(wallMsMin, wallMs * slowness);
  return { ...each, budget: { ...each.budget, wallMs: Math.min(each.budget.wallMs ?? most, most) } };
}

type Finish = (index: number, noticedBy: string | undefined) => void;

async function here(
  tasks: readonly MutantTask[],
  games: Games,
  finish: Finish,
  interrupted: () => boolean,
): Promise<void> {
  for (const [index, task] of tasks.entries()) {
    if (interrupted()) return;
    finish(index, task.cases.length === 0 ? undefined : judge(task, games));
    // Signals and the terminal get their turn.
    await otherWork();
  }
}

async function inThreads(
  tasks: readonly MutantTask[],
  workers: number,
  finish: Finish,
  interrupted: () => boolean,
): Promise<void> {
  const pool = await openPool(workers);
  try {
    await Promise.all(
      tasks.map(async (task, index) => {
        if (interrupted()) return;
        finish(index, task.cases.length === 0 ? undefined : await pool.judge(task));
      }),
    );
  } finally {
    await pool.close();
  }
}
