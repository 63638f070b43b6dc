import type { Evaluate } from './context.ts';

/**
 * What is known of an operand at load. A closure does not show that it always gives the same; operations that can do better with a name or a
 * number they know ask here when they are compiled.
 */
const constants = new WeakMap<object, unknown>();

/** An operand that gives `value`, and says so. */
export function known<T>(value: T): Evaluate<T> {
  const evaluate = () => value;
  constants.set(evaluate, value);
  return evaluate;
}

/** The value of an operand that is known at load; undefined for any other. */
export function constantOf<T>(operand: Evaluate<T>): T | undefined {
  return constants.get(operand) as T | undefined;
}

const calculations = new WeakMap<object, Evaluate<number>>();

/** Notes that `operand` gives what `compute` gives, and no value where that is NaN. Who can tell NaN itself asks for `compute`. */
export function calculated(operand: Evaluate<number | undefined>, compute: Evaluate<number>): typeof operand {
  calculations.set(operand, compute);
  return operand;
}

export function calculationOf(operand: Evaluate<unknown>): Evaluate<number> | undefined {
  return calculations.get(operand);
}

/** The most frequent of all entity operands. Who meets it can read the context itself and save a call. */
export const readSelectedUnit: Evaluate<unknown> = (context) => context.selectedUnit;
