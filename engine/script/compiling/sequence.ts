import type { Call } from '../ast.ts';
import {
  type Evaluate,
  listEnd,
  OperandFault,
  type ScriptContext,
  type Signal,
  type Step,
} from '../running/context.ts';
import { type Source, sourceOf } from './source.ts';

/** A part of an action list: an action, or a fork, which runs one of two lists depending on a test. */
export type SequenceNode = Act | Fork;

interface Act {
  readonly location: number;
  readonly step: Step;
}

interface Fork {
  readonly location: number;
  readonly test: Source<boolean>;
  readonly yes: readonly SequenceNode[];
  readonly no: readonly SequenceNode[];
}

/**
 * A part of a list, linked to the parts that can follow it. In these links, undefined means the end of the whole list.
 */
interface Stop {
  readonly location: number;
  readonly step: Source<Signal> | undefined;
  readonly test: Source<boolean> | undefined;
  /** The part that runs next: after the action, or, for a fork, if the test is true. */
  readonly next: Stop | undefined;
  /** For a fork, the part that runs next if the test is false. */
  readonly otherwise: Stop | undefined;
  /** The part that runs after this one; for a fork, after both of its lists. */
  readonly after: Stop | undefined;
  /** The part that runs when the list that contains this part has ended. */
  readonly end: Stop | undefined;
  readonly isInFork: boolean;
}

/**
 * Compiles an action list. An error in one action is recorded and the next action runs (reference: scripts#errors). A
 * single `try` encloses the whole list and is entered again after an error, because one `try` per action would cost
 * more than the actions. The lists of a fork become branches of the same sequence, which saves a call and a `try` for
 * each. When the list ends, the location becomes that of the surrounding action again, so that the work of a loop
 * between its rounds is attributed to the loop.
 */
export function sequence(parts: readonly SequenceNode[]): Step {
  const first = linked(parts, undefined, false);
  if (first === undefined) return () => 0;
  return (context) => run(context, first);
}

function linked(parts: readonly SequenceNode[], end: Stop | undefined, isInFork: boolean): Stop | undefined {
  let after = end;
  for (let i = parts.length - 1; i >= 0; i--) {
    const part = parts[i]!;
    const { location } = part;
    after =
      'step' in part
        ? { location, step: sourceOf(part.step), test: undefined, next: after, otherwise: after, after, end, isInFork }
        : {
            location,
            step: undefined,
            test: part.test,
            next: linked(part.yes, after, true),
            otherwise: linked(part.no, after, true),
            after,
            end,
            isInFork,
          };
  }
  return after;
}

function run(context: ScriptContext, first: Stop): Signal {
  const { runtime } = context;
  const outer = runtime.location;
  let at: Stop | undefined = first;
  for (;;) {
    try {
      while (at !== undefined) {
        const { location, test, step }: Stop = at;
        runtime.location = location;
        runtime.counts[location]!++;
        if (--runtime.budget < 0) runtime.outOfActions();
        if (step !== undefined) {
          const signal = step.run(step, context);
          if (signal) {
            runtime.location = outer;
            return signal;
          }
          at = at.next;
        } else at = test!.run(test!, context) ? at.next : at.otherwise;
      }
      runtime.location = outer;
      return 0;
    } catch (error) {
      const { location, isInFork, after, end }: Stop = at!;
      if (error !== listEnd) runtime.failed(error, location);
      const endsList = error instanceof OperandFault && error.endsList;
      if (endsList && !isInFork) throw listEnd;
      at = endsList ? end : after;
    }
  }
}

/** Wraps an action so that it notifies the observer of its runtime when it begins and ends. */
export function observed(step: Step, location: number): Step {
  return (context) => {
    const { observer } = context.runtime;
    if (observer === undefined) return step(context);
    observer.enter('action', location, context);
    try {
      return step(context);
    } finally {
      observer.leave();
    }
  };
}

/** Wraps a function so that it reports its value to the observer. */
export function observedValue(node: Call, evaluate: Evaluate<unknown>): Evaluate<unknown> {
  return (context) => {
    const value = evaluate(context);
    context.runtime.observer?.value?.(node, value);
    return value;
  };
}
