import { Lines, UserError } from '../../engine/core/index.ts';
import { excerpt } from '../text/index.ts';

/** Why an expression is invalid. The codes never change, so programs may depend on them. */
export const expressionCodes = {
  'expression-syntax': 'The expression has a syntax error.',
  'expression-unknown-name': 'The expression uses a name that does not exist in the game.',
} as const;

type ExpressionCode = keyof typeof expressionCodes;

export class ExpressionError extends UserError {
  override readonly name = 'ExpressionError';
  /** The position of the error in the expression, as a UTF-16 offset. */
  readonly offset: number;
  override readonly details: readonly string[];

  constructor(
    readonly code: ExpressionCode,
    message: string,
    /** The whole expression. */
    readonly text: string,
    offset: number,
  ) {
    super(message);
    this.offset = Math.min(offset, text.length);
    this.details = this.place.map((line) => `  ${line}`);
  }

  /** The line with the error, and a caret for the line below it. */
  get place(): readonly [line: string, caret: string] {
    const lines = new Lines(this.text);
    const { line, caret } = excerpt(this.text, lines, { ...lines.at(this.offset), offset: this.offset });
    return [line, caret];
  }
}
