import { Lines } from '../../engine/core/lines.ts';
import { excerpt } from '../text/excerpt.ts';

/** Why a text is no expression about a game. The codes are what programs may rely on. */
export const expressionCodes = {
  'expression-syntax': 'A text is no expression: a sign is missing, or something stands where it means nothing.',
  'expression-unknown-name': 'An expression names something that the game does not have.',
} as const;

type ExpressionCode = keyof typeof expressionCodes;

export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
  readonly code: ExpressionCode;
  /** The whole expression. */
  readonly text: string;
  /** UTF-16 offset into the text: what a caret can point at. */
  readonly offset: number;

  constructor(code: ExpressionCode, message: string, text: string, offset: number) {
    super(message);
    this.code = code;
    this.text = text;
    this.offset = Math.min(offset, text.length);
  }

  /** The line of the expression and under it a caret. */
  get place(): readonly [line: string, caret: string] {
    const lines = new Lines(this.text);
    const { line, caret } = excerpt(this.text, lines, { ...lines.at(this.offset), offset: this.offset });
    return [line, caret];
  }
}
