import { constant, count, type Infer, record, withCheck } from '../schema/index.ts';
import { type Payload, payload, queuedBits, triggerTypes } from './triggers.ts';

export const queuedTrigger = constant(
  record({
    /** Number of the trigger, as in `triggerIndex`. */
    trigger: withCheck(count(), 'not a valid trigger', (trigger) => trigger < triggerTypes.length),
    payload,
  }),
);
type QueuedTrigger = Infer<typeof queuedTrigger>;

const nothing: Payload = Object.freeze({});

/**
 * Triggers queued in this tick, first in, first out. Triggers pushed during delivery are delivered in the same pass.
 * Stored as two reused arrays rather than one of objects, to avoid allocations in every tick.
 */
export class TriggerQueue {
  /** Number of queued triggers. */
  length = 0;
  /**
   * The bits (`queuedBits`) of all queued triggers. This property is derived from the queue. It is not enumerable, so
   * that code that walks over all members of the state skips it.
   */
  declare bits: number;
  private readonly triggers: number[] = [];
  private readonly payloads: Payload[] = [];

  constructor() {
    Object.defineProperty(this, 'bits', { value: 0, writable: true });
  }

  push(trigger: number, payload: Payload): void {
    this.triggers[this.length] = trigger;
    this.payloads[this.length] = payload;
    this.length++;
    this.bits |= queuedBits[trigger]!;
  }

  /** The trigger at an index below `length`. */
  trigger(at: number): number {
    return this.triggers[at]!;
  }

  payload(at: number): Payload {
    return this.payloads[at]!;
  }

  clear(): void {
    // Drops the references, so that delivered payloads can be garbage collected.
    this.payloads.fill(nothing, 0, this.length);
    this.length = 0;
    this.bits = 0;
  }

  /** The queued triggers for snapshots and hashes, oldest first. */
  save(): QueuedTrigger[] {
    return Array.from({ length: this.length }, (_, i) => ({ trigger: this.trigger(i), payload: this.payload(i) }));
  }

  restore(waiting: readonly QueuedTrigger[]): void {
    this.clear();
    for (const { trigger, payload } of waiting) this.push(trigger, payload);
  }
}
