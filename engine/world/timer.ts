import { constant, count, type FieldType, f64, type Infer, index, list, optional, record } from '../schema/index.ts';

/** The loop counter of a `repeatWithDelay`, which several timers may share; `id` identifies the counter. */
const delayedRounds = record({ id: count(), job: index('job'), count: f64(), pauseMs: f64() });
export type DelayedRounds = Infer<typeof delayedRounds>;

/** A delayed action list of a script: `job` is the number of the compiled list, `state` its saved context. */
function timer(state: FieldType<unknown>) {
  return constant(
    record({
      dueMs: f64(),
      /** The position in the order of scheduling, which decides between timers with the same `dueMs`. */
      sequence: count(),
      job: index('job'),
      state,
      /**
       * For a `repeatWithDelay`: the counter that the timer shares with other timers, and the number of the iteration.
       * The job of the counter then replaces `job`.
       */
      rounds: optional(delayedRounds),
      round: count(),
    }),
  );
}
type Timer = Infer<ReturnType<typeof timer>>;

/** The state of `Timers`. `context` is the schema of the saved context of an action list. */
export function timersState(context: FieldType<unknown>) {
  return record({ heap: list(timer(context)), sequence: count() });
}

/** A binary heap of timers, ordered by due time, then by the order of scheduling. */
export class Timers {
  readonly heap: Timer[] = [];
  /** The sequence number that the next timer gets. */
  sequence = 0;

  schedule(dueMs: number, job: number, state: unknown, rounds?: DelayedRounds, round = 0): void {
    const { heap } = this;
    const timer = { dueMs, sequence: this.sequence++, job, state, rounds, round };
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

  /**
   * Whether `other` comes before the first timer, by due time, then by order of scheduling. True if there is no timer.
   */
  comesBefore(other: Due): boolean {
    return this.heap.length === 0 || before(other, this.heap[0]!);
  }

  /** Removes and returns the first timer that is due at `nowMs`; undefined if no timer is due. */
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

interface Due {
  readonly dueMs: number;
  readonly sequence: number;
}

function before(a: Due, b: Due) {
  return a.dueMs < b.dueMs || (a.dueMs === b.dueMs && a.sequence < b.sequence);
}
