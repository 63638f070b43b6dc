/** Whether a task must end now, or within `marginMs`. */
export type IsOver = (marginMs?: number) => boolean;

/** Thrown by everything that plays ticks when its task must end. */
export class OutOfTime extends Error {}

/** Checks a deadline, in ms since 1970, and the shared memory by which a task is asked to end. */
export function isOverAt(deadlineMs: number, asked?: Int32Array): IsOver {
  return (marginMs = 0) =>
    (asked !== undefined && Atomics.load(asked, 0) === 1) ||
    performance.timeOrigin + performance.now() + marginMs > deadlineMs;
}

/** Returns the result of some work, or undefined if it threw `OutOfTime`. */
export function inTime<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof OutOfTime) return undefined;
    throw error;
  }
}
