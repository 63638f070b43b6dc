import { constant, count, type Infer, record, where } from '../schema/index.ts';
import { type Payload, payload, queuedBits, triggerTypes } from './triggers.ts';

export const queuedTrigger = constant(
  record({
    /** Number of the trigger, as in `triggerIndex`. */
    trigger: where(count(), 'no trigger', (trigger) => trigger < triggerTypes.length),
    payload,
  }),
);
type QueuedTrigger = Infer<typeof queuedTrigger>;

const nothing: Payload = Object.freeze({});

/**
 * Triggers that wait for their place in the tick, first come first served; a walk includes triggers that are added meanwhile. It is two lists that
 * are kept from tick to tick. A list of objects would be made anew in every tick.
 */
export class TriggerQueue {
  /** How many wait. */
  length = 0;
  /** The bits (`queuedBits`) of all that wait. Not enumerable: it follows from the rest, and walks over the state pass over it. */
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

  /** Of the one at `at`, which is from 0 to below `length`. */
  trigger(at: number): number {
    return this.triggers[at]!;
  }

  payload(at: number): Payload {
    return this.payloads[at]!;
  }

  clear(): void {
    // A queue that is done with a payload must not keep alive what the payload names.
    this.payloads.fill(nothing, 0, this.length);
    this.length = 0;
    this.bits = 0;
  }

  /** For snapshots and hashes: what waits, oldest first. */
  save(): QueuedTrigger[] {
    return Array.from({ length: this.length }, (_, i) => ({ trigger: this.trigger(i), payload: this.payload(i) }));
  }

  restore(waiting: readonly QueuedTrigger[]): void {
    this.clear();
    for (const { trigger, payload } of waiting) this.push(trigger, payload);
  }
}
