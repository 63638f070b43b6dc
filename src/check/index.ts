import { type Issue, joinIssues } from '../../engine/core/issue.ts';
import { type DialectName, dialectNamed, type LoadedGame } from '../../engine/index.ts';
import { programsOfGame, requireLoaded, vocabulary } from '../../engine/internal.ts';
import { checkScripts } from './starts-check.ts';

/**
 * The problems of a game's scripts: those found by the compiler, and those that show only across all scripts. At most 10,000 of each severity; if there
 * are more, the last one, `more-issues`, has their number.
 */
export function checkGame(game: LoadedGame, dialect: DialectName = 'standard'): readonly Issue[] {
  requireLoaded(game);
  const program = programsOfGame(game).program(dialect);
  return joinIssues(program.issues, checkScripts(game.definition, program, vocabulary, dialectNamed(dialect)));
}
