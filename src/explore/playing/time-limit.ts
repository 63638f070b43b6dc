/** Whether a task has to end; with a margin, whether it has to in so many ms. */
export type IsOver = (marginMs?: number) => boolean;

/** Thrown out of whatever plays ticks when a task has to end. */
export class OutOfTime extends Error {}

/** `deadlineMs` and `asked` are those of a task. */
export function isOverAt(deadlineMs: number, asked?: Int32Array): IsOver {
  return (marginMs = 0) =>
    (asked !== undefined && Atomics.load(asked, 0) === 1) ||
    performance.timeOrigin + performance.now() + marginMs > deadlineMs;
}

/** Returns what some work returns, or undefined if it ran out of time. */
export function inTime<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof OutOfTime) return undefined;
    throw error;
  }
}
