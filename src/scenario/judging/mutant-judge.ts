import { changedAt } from '../../model/index.ts';
import { playCase } from '../playing/play-case.ts';
import type { Case } from '../reading/cases.ts';
import { Games } from '../reading/games.ts';

/** A change of a game, and the scenarios that may detect it, in the order in which they are run. */
export interface MutantTask {
  readonly game: string;
  readonly path: readonly (string | number)[];
  readonly value: unknown;
  readonly cases: readonly Case[];
}

/** Plays scenarios on a changed game. Returns the title of the first that fails; undefined if all pass. */
export function judge({ game, path, value, cases }: MutantTask, games: Games): string | undefined {
  const own = new Games();
  own.replace(
    game,
    changedAt(games.document(game), path, () => value),
  );
  return cases.find((each) => playCase(each, own, {}).outcome === 'failed')?.title;
}
