/** Signals and terminals wait so long at most for a loop that asks after each step, ms. */
const turnMs = 40;

/** Lets a long piece of work make room for signals and the terminal now and then. */
export class Turns {
  private takenAtMs = performance.now();

  /** Whether the others have waited long enough; cheap, so that a loop asks after each step. */
  get areDue(): boolean {
    return performance.now() - this.takenAtMs >= turnMs;
  }

  async take(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.takenAtMs = performance.now();
  }
}
