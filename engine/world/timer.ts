/** Something a script has put off. Plain data: `job` is the number of a compiled action list, `state` what that list needs to go on. */
export interface Timer {
  readonly dueMs: number;
  /** Scheduling order; breaks ties of `dueMs`. */
  readonly sequence: number;
  readonly job: number;
  readonly state: unknown;
}

/** A binary heap by due time, then by scheduling order. */
export class Timers {
  readonly heap: Timer[] = [];
  /** Of the next timer. */
  sequence = 0;

  schedule(dueMs: number, job: number, state: unknown): void {
    const { heap } = this;
    const timer = { dueMs, sequence: this.sequence++, job, state };
    let at = heap.length;
    heap.push(timer);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!before(timer, heap[parent]!)) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = timer;
  }

  /** Takes the first timer that is due at `nowMs`; undefined when none is. */
  takeDue(nowMs: number): Timer | undefined {
    const { heap } = this;
    const first = heap[0];
    if (first === undefined || first.dueMs > nowMs) return undefined;
    const last = heap.pop()!;
    if (heap.length > 0) {
      let at = 0;
      for (;;) {
        let child = at * 2 + 1;
        if (child >= heap.length) break;
        if (child + 1 < heap.length && before(heap[child + 1]!, heap[child]!)) child++;
        if (!before(heap[child]!, last)) break;
        heap[at] = heap[child]!;
        at = child;
      }
      heap[at] = last;
    }
    return first;
  }
}

function before(a: Timer, b: Timer): boolean {
  return a.dueMs < b.dueMs || (a.dueMs === b.dueMs && a.sequence < b.sequence);
}
