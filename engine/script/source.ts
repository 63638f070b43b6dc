import type { Evaluate, ScriptContext } from './context.ts';

export type Run<T> = (source: Source, context: ScriptContext) => T;

/**
 * An operand, a test or an action as one object: a function of a module, with what it works on. The frequent ones are made of these. A closure is two
 * objects, and reaches a function that is imported by six loads. All sources have one shape; what `value` and `slot` are, their function knows.
 */
export class Source<T = unknown> {
  readonly run: Run<T>;
  readonly left: Source;
  readonly right: Source;
  readonly value: unknown;
  readonly slot: number;

  constructor(run: Run<T>, value: unknown, slot = 0, left = nothing, right = nothing) {
    this.run = run;
    this.left = left;
    this.right = right;
    this.value = value;
    this.slot = slot;
  }
}

const constant: Run<unknown> = (source) => source.value;
const computed: Run<unknown> = (source, context) => (source.value as Evaluate<unknown>)(context);

const none = null as unknown as Source;
const nothing: Source = new Source(constant, undefined, 0, none, none);

export function constantSource<T>(value: T): Source<T> {
  return new Source(constant as Run<T>, value);
}

/** The closure of a source, for operations that are closures. */
export function evaluateOf<T>(source: Source<T>): Evaluate<T> {
  return noted((context) => source.run(source, context), source);
}

/** The closure of a constant, which calls nothing. */
export function constantOf<T>(value: T): Evaluate<T> {
  return noted(() => value, constantSource(value));
}

/** A closure that says what it was made of. */
interface Noted<T> extends Evaluate<T> {
  source?: Source<T>;
}

function noted<T>(evaluate: Noted<T>, source: Source<T>): Evaluate<T> {
  evaluate.source = source;
  return evaluate;
}

/** The source that a closure was made of; for any other closure one that calls it. */
export function sourceOf<T>(evaluate: Noted<T>): Source<T> {
  return evaluate.source ?? new Source(computed as Run<T>, evaluate);
}
