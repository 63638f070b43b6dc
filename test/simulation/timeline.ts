import type { Timer } from '../../src/server/machine/clock.ts';

interface Happening {
  readonly atMs: number;
  readonly order: number;
  act: (() => void) | undefined;
}

/**
 * The one time of a simulated world. Events at the same time happen in the order in which they were planned. After each happening all promises
 * that it has settled run to their end, so that a world depends on nothing but its seed.
 */
export class Timeline {
  nowMs = 0;
  /** Everything that has happened. */
  happenings = 0;
  private readonly heap: Happening[] = [];
  private planned = 0;
  private readonly outside = new Set<Promise<unknown>>();
  private isOver = false;

  /** Happens once, after so many ms. */
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
   * Work that is done beside the simulated time, as cryptography is: time stands still until it is over. Its outcome comes as a happening, so that
   * it does not matter which of two was quicker.
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

  /** Nothing happens any more. */
  end(): void {
    this.isOver = true;
  }

  /** Lets everything happen up to a time. */
  async run(untilMs: number): Promise<void> {
    // Work that was begun from outside may not have come to the point where it waits.
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

/** All promises that can go on without anything from outside have done so. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
