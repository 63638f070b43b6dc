/** Stops what a clock would still call. */
export interface Timer {
  cancel(): void;
}

/** Time as a program is given it. */
export interface Clock {
  /** ms from some moment on; never goes back. */
  now(): number;
  /** Wall time, ms since 1970; it jumps when the clock of the machine is set. */
  date(): number;
  /** Calls once, when at least so many ms have passed. */
  after(ms: number, act: () => void): Timer;
}

/** The host's own: browser or Node. */
export const hostClock: Clock = {
  now: () => performance.now(),
  date: () => Date.now(),
  after(ms, act) {
    const timer = setTimeout(act, ms);
    return { cancel: () => clearTimeout(timer) };
  },
};

/** Whether some work was done within so many ms; it goes on if not. */
export async function within(clock: Clock, ms: number, work: Promise<unknown>): Promise<boolean> {
  let timer: Timer | undefined;
  const late = new Promise<false>((resolve) => {
    timer = clock.after(ms, () => resolve(false));
  });
  const isDone = await Promise.race([work.then(() => true), late]);
  timer?.cancel();
  return isDone;
}

/** The clock of a server, which can also call repeatedly. */
export interface ServerClock extends Clock {
  /** Processor time of the thread that asks, ms from some moment on. */
  busy(): number;
  /** Calls again and again. The process may end although it would be called once more. */
  every(ms: number, act: () => void): Timer;
  /** Calls once what came before has had its turn: sockets, messages, files. */
  soon(act: () => void): void;
}
