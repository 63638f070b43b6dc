import { listEnd, OperandFault, type ScriptContext, type Signal, type Step } from './context.ts';

/**
 * An action list. Each action runs inside its own guard (reference: scripts#errors): what one throws is recorded and the next runs. The guard is one
 * `try` around the whole list, entered again after a failure. One per action would cost more than the actions do.
 */
export function sequence(steps: readonly Step[], locations: readonly number[]): Step {
  const length = steps.length;
  if (length === 0) return () => 0;
  return (context) => run(context, steps, locations, length);
}

/** An action that notifies the watcher of its runtime when it begins and ends. */
export function watched(step: Step, location: number): Step {
  return (context) => {
    const { watcher } = context.runtime;
    if (watcher === undefined) return step(context);
    watcher.enter('action', location);
    try {
      return step(context);
    } finally {
      watcher.leave();
    }
  };
}

function run(context: ScriptContext, steps: readonly Step[], locations: readonly number[], length: number): Signal {
  const { runtime } = context;
  let at = 0;
  for (;;) {
    try {
      while (at < length) {
        const location = locations[at]!;
        runtime.location = location;
        runtime.counts[location]!++;
        if (--runtime.budget < 0) runtime.outOfActions();
        const signal = steps[at]!(context);
        if (signal) return signal;
        at++;
      }
      return 0;
    } catch (error) {
      if (error !== listEnd) runtime.failed(error, locations[at]!);
      if (error instanceof OperandFault && error.endsList) throw listEnd;
      at++;
    }
  }
}
