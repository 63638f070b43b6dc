import type { Frame, Signal, Step } from './frame.ts';

/**
 * An action list. Each action runs inside its own guard (reference: scripts#errors): what one throws is recorded and the next runs. The
 * guard is one `try` around the whole list that is entered again after a failure, because entering one per action costs more than the
 * actions do.
 */
export function sequence(steps: readonly Step[], sites: readonly number[]): Step {
  const length = steps.length;
  if (length === 0) return () => 0;
  if (length === 1) return single(steps[0]!, sites[0]!);
  return (frame) => run(frame, steps, sites, length);
}

/** An action that tells the watcher of its runtime when it begins and ends. */
export function watched(step: Step, site: number): Step {
  return (frame) => {
    const { watcher } = frame.runtime;
    if (watcher === undefined) return step(frame);
    watcher.enter('action', site);
    try {
      return step(frame);
    } finally {
      watcher.leave();
    }
  };
}

/** Most branches are one action long: no list, no loop. */
function single(step: Step, site: number): Step {
  return (frame) => {
    const { runtime } = frame;
    try {
      runtime.site = site;
      runtime.counts[site]!++;
      if (--runtime.budget < 0) runtime.outOfActions();
      // Actions give nothing, which counts as going on.
      return step(frame) || 0;
    } catch (error) {
      runtime.failed(error, site);
      return 0;
    }
  };
}

function run(frame: Frame, steps: readonly Step[], sites: readonly number[], length: number): Signal {
  const { runtime } = frame;
  let at = 0;
  for (;;) {
    try {
      while (at < length) {
        const site = sites[at]!;
        runtime.site = site;
        runtime.counts[site]!++;
        if (--runtime.budget < 0) runtime.outOfActions();
        const signal = steps[at]!(frame);
        if (signal) return signal;
        at++;
      }
      return 0;
    } catch (error) {
      runtime.failed(error, sites[at]!);
      at++;
    }
  }
}
