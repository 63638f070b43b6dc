/** The maximum delay of signals and terminal output, in ms, in a loop that checks `areDue` after each step. */
const turnMs = 40;

/** Lets a long loop yield from time to time, so that signals are handled and terminal output is written. */
export class Turns {
  private takenAtMs = performance.now();

  /** Whether it is time to yield; cheap enough to check after each step. */
  get areDue(): boolean {
    return performance.now() - this.takenAtMs >= turnMs;
  }

  async take(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.takenAtMs = performance.now();
  }
}
