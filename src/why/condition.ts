import { type BoundExpression, bindExpression } from '../expression/bound-expression.ts';
import type { ExpressionSource } from '../expression/source.ts';
import { keyOf } from './reading.ts';

/** `u12.health falls` is true in each tick in which the value is lower than before. */
const movement = /^(.+)\s(falls|rises|changes)\s*$/s;

/** Something to stop at: an expression, or a value that falls, rises or changes. */
interface StopCondition {
  readonly bound: BoundExpression;
  /** Whether it is a change, which holds only in the ticks in which it happens. */
  readonly isChange: boolean;
  /** Forgets the value before. Call after a jump. */
  begin(): void;
  /** Call after each tick. */
  holds(): boolean;
}

/** Throws `ExpressionError` for a wrong expression. */
export function stopCondition(text: string, source: ExpressionSource): StopCondition {
  const [, moving, move] = movement.exec(text) ?? [];
  const bound = bindExpression(moving ?? text, source);
  if (move === undefined) return { bound, isChange: false, begin: () => {}, holds: () => bound.holds() };
  let known: unknown;
  const begin = (): void => {
    known = bound.value();
  };
  return {
    bound,
    isChange: true,
    begin,
    holds() {
      const earlier = known;
      begin();
      if (move === 'changes') return !Object.is(keyOf(known), keyOf(earlier));
      const [from, to] = move === 'rises' ? [earlier, known] : [known, earlier];
      return typeof from === 'number' && typeof to === 'number' && from < to;
    },
  };
}
