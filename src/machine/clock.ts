/** A call that is due later. */
export interface Timer {
  cancel(): void;
}

/** A source of time, which tests can replace. */
export interface Clock {
  /** Monotonic time in ms. */
  now(): number;
  /** Wall time, ms since 1970. It jumps when the machine's clock is set. */
  date(): number;
  /** Calls `act` once, after at least `ms` milliseconds. */
  after(ms: number, act: () => void): Timer;
}

/** The clock of the browser or of Node. */
export const hostClock: Clock = {
  now: () => performance.now(),
  date: () => Date.now(),
  after(ms, act) {
    const timer = setTimeout(act, ms);
    return { cancel: () => clearTimeout(timer) };
  },
};

/** Resolves after `ms` milliseconds. */
export function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => clock.after(ms, resolve));
}

/**
 * Waits for `work`, but at most `ms` milliseconds. Returns whether `work` ended in time; it continues in any case.
 * Rejects if `work` rejects in time.
 */
export function within(clock: Clock, ms: number, work: Promise<unknown>): Promise<boolean> {
  let timer: Timer | undefined;
  const late = new Promise<false>((resolve) => {
    timer = clock.after(ms, () => resolve(false));
  });
  return Promise.race([work.then(() => true), late]).finally(() => timer?.cancel());
}

/** The result of `work`, or undefined if it takes longer than `ms` milliseconds. `work` continues in any case. */
export async function resultWithin<T>(clock: Clock, ms: number, work: Promise<T>): Promise<T | undefined> {
  let result: T | undefined;
  const done = work.then((given) => {
    result = given;
  });
  await within(clock, ms, done);
  return result;
}

/** The clock of a server. */
export interface ServerClock extends Clock {
  /** Processor time of the calling thread in ms. Only the difference of two values has a meaning. */
  busy(): number;
  /** Calls `act` every `ms` milliseconds. The timer does not keep the process alive. */
  every(ms: number, act: () => void): Timer;
  /** Calls `act` once, after the pending I/O events (sockets, messages, files) have been handled. */
  soon(act: () => void): void;
}
