import type { DialectName, LoadedGame, Simulation } from '../../engine/index.ts';
import {
  type BoundExpression,
  bindExpression,
  ExpressionError,
  GameSource,
  parseExpression,
} from '../expression/index.ts';
import { type UntilSummary, untilSummary } from '../run/index.ts';
import { Failure } from './failure.ts';

/** Checks only the syntax, before any game is loaded. Throws `Failure`. */
export function checkUntil(text: string): void {
  withExpressionErrors(() => parseExpression(text));
}

/** The expression that ends a run. */
export class Until {
  private readonly source: GameSource;
  private readonly bound: BoundExpression;

  /**
   * `players` are the ids of players that may join. `playing` returns the simulation once it is running. Throws
   * `Failure` for a name that the game does not have.
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
    this.bound = withExpressionErrors(() => bindExpression(text, source));
  }

  holds(): boolean {
    return this.bound.holds();
  }

  summary(): UntilSummary {
    return untilSummary(this.source, this.bound);
  }
}

/** Runs `work`, and turns an expression error into a message with a caret below the position. */
export function withExpressionErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw expressionFailure(error);
  }
}

/** A `Failure` with the message for an expression error. Other errors are returned unchanged. */
export function expressionFailure(error: unknown): unknown {
  if (!(error instanceof ExpressionError)) return error;
  const place = error.place.map((line) => `  ${line}`);
  return new Failure(error.code, error.message, undefined, place);
}
