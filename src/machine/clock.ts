/** A pending call. */
export interface Timer {
  cancel(): void;
}

/** A source of time, which tests can replace. */
export interface Clock {
  /** Monotonic time, ms. */
  now(): number;
  /** Wall time, ms since 1970. It jumps when the machine's clock is set. */
  date(): number;
  /** Calls once, after at least this many ms. */
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

/** Resolves after this many ms. */
export function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => clock.after(ms, resolve));
}

/** Waits for `work`, but no longer than `ms`; `work` continues after that. Returns whether it was done in time. */
export async function within(clock: Clock, ms: number, work: Promise<unknown>): Promise<boolean> {
  let timer: Timer | undefined;
  const late = new Promise<false>((resolve) => {
    timer = clock.after(ms, () => resolve(false));
  });
  const isDone = await Promise.race([work.then(() => true), late]);
  timer?.cancel();
  return isDone;
}

/** The result of `work`; undefined if it takes longer than `ms`. `work` continues after that. */
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
  /** Processor time of the calling thread, ms; only differences are meaningful. */
  busy(): number;
  /** Calls repeatedly. Does not keep the process alive. */
  every(ms: number, act: () => void): Timer;
  /** Calls once after pending I/O events were handled: sockets, messages, files. */
  soon(act: () => void): void;
}
