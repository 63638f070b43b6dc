import { constant, count, f64, type Infer, index, type Kind, list, optional, record } from '../schema/index.ts';

/** The counter of the rounds of `repeatWithDelay`, where several of them share one. `id` is that of the record. */
const delayedRounds = record({ id: count(), job: index('job'), count: f64(), pauseMs: f64() });
export type DelayedRounds = Infer<typeof delayedRounds>;

/** Something a script has put off: `job` is the number of a compiled action list, `state` what that list needs to go on. */
function timer<C>(state: Kind<C>) {
  return constant(
    record({
      dueMs: f64(),
      /** Scheduling order; breaks ties of `dueMs`. */
      sequence: count(),
      job: index('job'),
      state,
      /** Of a `repeatWithDelay` that shares its rounds, and the number of the round. Its job counts in place of `job`. */
      rounds: optional(delayedRounds),
      round: count(),
    }),
  );
}
type Timer = Infer<ReturnType<typeof timer<unknown>>>;

/** The state of `Timers`. `context` is the state that action lists need to go on. */
export function timersState<C>(context: Kind<C>) {
  return record({ heap: list(timer(context)), sequence: count() });
}

/** A binary heap by due time, then by scheduling order. */
export class Timers {
  readonly heap: Timer[] = [];
  /** Of the next timer. */
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

  /** Whether something else that was put off comes before the first timer. */
  comesBefore(other: Due): boolean {
    return this.heap.length === 0 || before(other, this.heap[0]!);
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

interface Due {
  readonly dueMs: number;
  readonly sequence: number;
}

function before(a: Due, b: Due): boolean {
  return a.dueMs < b.dueMs || (a.dueMs === b.dueMs && a.sequence < b.sequence);
}
