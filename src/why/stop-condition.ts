import { type BoundExpression, bindExpression, type ExpressionSource } from '../expression/index.ts';
import { keyOf } from './reading.ts';

/** `u12.health falls` is true in each tick in which the value is lower than before. */
const movement = /^(.+)\s(falls|rises|changes)\s*$/s;

/** A condition at which playing stops: an expression becomes true, or a value falls, rises or changes. */
interface StopCondition {
  readonly bound: BoundExpression;
  /**
   * Makes the current state the one with which the next tick is compared. Call it after a jump. Without this call, an
   * expression counts as false before the first tick.
   */
  begin(): void;
  /** Whether the condition was met in this tick. Call it after each tick. */
  happened(): boolean;
}

/** Parses a condition. Throws `ExpressionError` for an invalid expression. */
export function stopCondition(text: string, source: ExpressionSource): StopCondition {
  const [, moving, move] = movement.exec(text) ?? [];
  const bound = bindExpression(moving ?? text, source);
  const read = (): unknown => (move === undefined ? bound.holds() : bound.value());
  let known = move !== undefined && read();
  const begin = () => {
    known = read();
  };
  return {
    bound,
    begin,
    happened() {
      const earlier = known;
      begin();
      if (move === undefined) return known === true && earlier === false;
      if (move === 'changes') return !Object.is(keyOf(known), keyOf(earlier));
      const [from, to] = move === 'rises' ? [earlier, known] : [known, earlier];
      return typeof from === 'number' && typeof to === 'number' && from < to;
    },
  };
}
