/** Tracks which case each worker thread is running, and how much of it has been simulated. */
export class CaseTracker {
  /** Simulated ms of each thread's case, written by the threads. */
  readonly playedMs: Int32Array;
  private readonly cases = new Map<number, number>();

  constructor(threads: number) {
    this.playedMs = new Int32Array(new SharedArrayBuffer(4 * Math.max(1, threads)));
  }

  begin(thread: number, index: number): void {
    this.cases.set(thread, index);
    Atomics.store(this.playedMs, thread, 0);
  }

  end(index: number): void {
    for (const [thread, playing] of this.cases) if (playing === index) this.cases.delete(thread);
  }

  /** The running case with the most simulated time. */
  furthest(): { readonly index: number; readonly simulatedSeconds: number } | undefined {
    const all = Array.from(this.cases, ([thread, index]) => ({
      index,
      simulatedSeconds: Atomics.load(this.playedMs, thread) / 1000,
    }));
    return all.sort((a, b) => b.simulatedSeconds - a.simulatedSeconds)[0];
  }
}
