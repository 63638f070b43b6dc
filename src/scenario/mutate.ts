import type { Case } from './cases.ts';
import { Games } from './games.ts';
import { type Mutant, mutantsOf, mutated } from './mutants.ts';
import { type CaseResult, playCase } from './play-case.ts';
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
const wallMsLeast = 2000;

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
  const document = games.document(game);
  const mutants = mutantsOf(games.game(game, undefined).definition);
  const useful = cases
    .map((each, i) => ({ each, result: results[i]! }))
    .filter(({ each, result }) => each.game === game && result.outcome === 'passed' && each.knownFailure === undefined)
    .sort((a, b) => a.result.ticks - b.result.ticks);
  let done = 0;
  const judge = async (mutant: Mutant, version: number, play: Play): Promise<MutantResult> => {
    const { path, value, ...told } = mutant;
    const covering = useful.filter(({ result }) => (result.counts?.sites[mutant.site] ?? 0) > 0);
    const content = covering.length === 0 ? undefined : mutated(document, path, value);
    let noticedBy: string | undefined;
    for (const { each, result } of covering) {
      const wallMs = Math.max(wallMsLeast, result.wallMs * slowness);
      const limited = { ...each, budget: { ...each.budget, wallMs: Math.min(each.budget.wallMs ?? wallMs, wallMs) } };
      const outcome = await play(limited, version, content);
      if (outcome.outcome !== 'failed') continue;
      noticedBy = each.title;
      break;
    }
    onProgress(++done, mutants.length);
    return { ...told, noticedBy, isUncovered: covering.length === 0 };
  };
  const judged =
    workers > 1 ? await inThreads(mutants, workers, judge, interrupted) : await here(mutants, judge, interrupted);
  return {
    game,
    total: judged.length,
    noticed: judged.filter(({ noticedBy }) => noticedBy !== undefined).length,
    unnoticed: judged.filter(({ noticedBy }) => noticedBy === undefined),
  };
}

type Play = (each: Case, version: number, content: unknown) => Promise<CaseResult>;
type Judge = (mutant: Mutant, version: number, play: Play) => Promise<MutantResult>;

async function here(mutants: readonly Mutant[], judge: Judge, interrupted: () => boolean): Promise<MutantResult[]> {
  const games = new Games();
  const judged: MutantResult[] = [];
  for (const [version, mutant] of mutants.entries()) {
    if (interrupted()) break;
    judged.push(
      await judge(mutant, version, async (each, _version, content) => {
        games.replace(each.game, content);
        return playCase(each, games, {});
      }),
    );
    await new Promise((resolve) => setImmediate(resolve));
  }
  return judged;
}

async function inThreads(
  mutants: readonly Mutant[],
  workers: number,
  judge: Judge,
  interrupted: () => boolean,
): Promise<MutantResult[]> {
  const pool = await openPool(workers);
  try {
    const judged = await Promise.all(
      mutants.map(async (mutant, version) => {
        if (interrupted()) return undefined;
        return judge(mutant, version, (each, number, content) =>
          pool.play({ case: each, wishes: {}, document: { version: number, content } }),
        );
      }),
    );
    return judged.filter((each) => each !== undefined);
  } finally {
    await pool.close();
  }
}
