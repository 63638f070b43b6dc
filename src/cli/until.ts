import type { DialectName, LoadedGame, Simulation } from '../../engine/index.ts';
import { type BoundExpression, bindExpression, GameSource, parseExpression } from '../expression/index.ts';
import { type UntilSummary, untilSummary } from '../run/index.ts';

/** Checks only the syntax, before any game is loaded. Throws `ExpressionError`. */
export function checkUntil(text: string): void {
  parseExpression(text);
}

/** The expression that ends a run. */
export class Until {
  private readonly source: GameSource;
  private readonly bound: BoundExpression;

  /**
   * `players` are the ids of players that may join. `playing` returns the simulation once it is running. Throws
   * `ExpressionError` for a name that the game does not have.
   */
  constructor(
    text: string,
    game: LoadedGame,
    dialect: DialectName,
    players: readonly string[],
    playing: () => Simulation,
  ) {
    const source = new GameSource(game, dialect, { playing, players });
    this.source = source;
    this.bound = bindExpression(text, source);
  }

  holds(): boolean {
    return this.bound.holds();
  }

  summary(): UntilSummary {
    return untilSummary(this.source, this.bound);
  }
}
