import type { Evaluate, ScriptContext } from '../running/context.ts';

export type Run<T> = (source: Source, context: ScriptContext) => T;

/**
 * A compiled operand, test or action as one object: the function `run`, declared at the top level of a module, and the
 * data that it reads. Frequent operations are compiled to sources, because a closure takes two objects, and needs six
 * memory loads to reach an imported function. All sources have the same hidden class; each `run` gives the members
 * `value` and `slot` their meaning.
 */
export class Source<T = unknown> {
  constructor(
    readonly run: Run<T>,
    readonly value: unknown,
    readonly slot = 0,
    readonly left: Source = nothing,
    readonly right: Source = nothing,
  ) {}
}

const constant: Run<unknown> = (source) => source.value;
const computed: Run<unknown> = (source, context) => (source.value as Evaluate<unknown>)(context);

const none = null as unknown as Source;
const nothing: Source = new Source(constant, undefined, 0, none, none);

export function constantSource<T>(value: T): Source<T> {
  return new Source(constant as Run<T>, value);
}

/** Wraps a source in a closure, for operations that are compiled to closures. */
export function evaluateOf<T>(source: Source<T>): Evaluate<T> {
  return noted((context) => source.run(source, context), source);
}

/** A closure that returns a constant without a further call. */
export function constantOf<T>(value: T): Evaluate<T> {
  return noted(() => value, constantSource(value));
}

/** A closure that remembers the source that it wraps. */
interface Noted<T> extends Evaluate<T> {
  source?: Source<T>;
}

function noted<T>(evaluate: Noted<T>, source: Source<T>): Evaluate<T> {
  evaluate.source = source;
  return evaluate;
}

/** The source that a closure wraps. If the closure wraps none, returns a new source that calls the closure. */
export function sourceOf<T>(evaluate: Noted<T>): Source<T> {
  return evaluate.source ?? new Source(computed as Run<T>, evaluate);
}
