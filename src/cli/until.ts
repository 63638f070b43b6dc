import type { DialectName, LoadedGame, Simulation } from '../../engine/index.ts';
import { bindExpression, GameSource, parseExpression } from '../expression/index.ts';
import { untilSummary } from '../run/index.ts';

/**
 * The expression that ends a run. Throws `ExpressionError` for invalid syntax, before any game is loaded.
 *
 * The returned function binds the expression to a game, and throws `ExpressionError` for a name that the game does not
 * have. `players` are the ids of players that may join. `playing` returns the simulation once it is running.
 */
export function untilOf(text: string) {
  parseExpression(text);
  return (game: LoadedGame, dialect: DialectName, players: readonly string[], playing: () => Simulation) => {
    const source = new GameSource(game, dialect, { playing, players });
    const bound = bindExpression(text, source);
    return { holds: () => bound.holds(), summary: () => untilSummary(source, bound) };
  };
}
