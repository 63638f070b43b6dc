import type { Timer } from '../../src/machine/clock.ts';

interface Happening {
  readonly atMs: number;
  readonly order: number;
  act: (() => void) | undefined;
}

/**
 * The virtual clock of a simulated world. Events at the same time run in the order in which they were scheduled. After
 * each event, all promises that it settled run to completion, so that a world depends only on its seed.
 */
export class Timeline {
  nowMs = 0;
  /** Number of events that have run. */
  happenings = 0;
  private readonly heap: Happening[] = [];
  private planned = 0;
  private readonly outside = new Set<Promise<unknown>>();
  private isOver = false;

  /** Runs once, after this many ms. */
  after(ms: number, act: () => void): Timer {
    const happening: Happening = { atMs: this.nowMs + Math.max(0, ms), order: ++this.planned, act };
    this.push(happening);
    return {
      cancel: () => {
        happening.act = undefined;
      },
    };
  }

  wait(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve));
  }

  /**
   * Waits for work outside of virtual time, such as cryptography; the clock stands still until it is done. The result
   * is delivered as an event, so that it does not matter which of two was faster.
   */
  beside<T>(work: Promise<T>): Promise<T> {
    const tracked: Promise<boolean> = work.then(
      () => this.outside.delete(tracked),
      () => this.outside.delete(tracked),
    );
    this.outside.add(tracked);
    return new Promise((resolve, reject) => {
      this.after(0.1, () => void work.then(resolve, reject));
    });
  }

  /** Drops all pending events. */
  end(): void {
    this.isOver = true;
  }

  /** Runs all events up to a time. */
  async run(untilMs: number): Promise<void> {
    // Work that was started from outside may not have reached its first wait.
    await settled();
    while (!this.isOver) {
      const next = this.heap[0];
      if (next === undefined || next.atMs > untilMs) break;
      this.pop();
      const { act } = next;
      if (act === undefined) continue;
      this.nowMs = Math.max(this.nowMs, next.atMs);
      this.happenings++;
      act();
      await settled();
      while (this.outside.size > 0) {
        await Promise.all(this.outside);
        await settled();
      }
    }
    if (!this.isOver) this.nowMs = Math.max(this.nowMs, untilMs);
  }

  private push(happening: Happening): void {
    const { heap } = this;
    let at = heap.length;
    heap.push(happening);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(happening, heap[parent]!)) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = happening;
  }

  private pop(): void {
    const { heap } = this;
    const last = heap.pop()!;
    if (heap.length === 0) return;
    let at = 0;
    for (;;) {
      let child = at * 2 + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child++;
      if (!isBefore(heap[child]!, last)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = last;
  }
}

function isBefore(a: Happening, b: Happening): boolean {
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
}

/** Resolves when all promises that do not wait for anything external have run. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
