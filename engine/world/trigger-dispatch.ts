import { type Entity, noEntity } from './entity.ts';
import type { OutputSource } from './outbox.ts';
import { TriggerQueue } from './trigger-queue.ts';
import { type Payload, type PayloadOf, type TriggerType, triggerIndex, triggerTypes } from './triggers.ts';

/** The interface through which rules run scripts without importing them. The script runtime implements it. */
export interface TriggerPort {
  /**
   * For each trigger number: 1 if any script of the definition, global or of a type, listens to the trigger, otherwise
   * 0.
   */
  readonly subscribed: Uint8Array;
  runGlobal(trigger: number, payload: Payload): void;
  runEntity(trigger: number, entity: Entity, payload: Payload): void;
  /** The bits (`queuedBits`) of the queued triggers that scripts of the entity's type listen to. */
  queuedFor(entity: Entity): number;
  /** Whether a script of the entity's type listens to a trigger. */
  listens(trigger: number, entity: Entity): boolean;
  /** The union of `queuedFor` over all types. */
  readonly queuedForAny: number;
  /**
   * Runs one script by key: the entity's own script if it has one with this key, otherwise the global one (reference:
   * scripts#lookup-by-name). Returns false if there is neither.
   */
  runScript(key: string, entity: Entity, payload: Payload): boolean;
  /** Source location of the running action, for faults; `engine` if none is running. */
  place(): string;
  /** The source of an output event: the running action; undefined if none is running. */
  source(): OutputSource | undefined;
}

/**
 * Called for a trigger at the moment it fires, whether or not a script listens. `entity` is the entity for whose
 * scripts the trigger fires, or 0 if it fires for the global scripts.
 */
export type DispatchObserver = (
  trigger: TriggerType,
  scope: 'global' | 'entity',
  entity: Entity,
  payload: Payload,
) => void;

/** A function that builds a payload from at most three values. */
type Maker = (a: unknown, b: unknown, c: unknown) => Payload;

const nothingSubscribed = new Uint8Array(triggerTypes.length);

/**
 * Passes triggers from rules to scripts: direct ones immediately, queued ones at a fixed point of the tick.
 *
 * No script runs while a world is being built: walls, debris, regions and computer players exist before the first
 * script, as in the reference (reference: tick#start). Until `open`, triggers are only counted and observed, and queued
 * ones wait for the first tick.
 */
export class Triggers {
  /** Called when a trigger is queued, before its delivery. */
  queueObserver: ((trigger: TriggerType, payload: Payload) => void) | undefined;
  /** The number of times that each trigger has fired. */
  readonly counts: Float64Array;
  readonly queue = new TriggerQueue();
  /** For each trigger number: 1 if firing the trigger runs scripts, otherwise 0. All are 0 until `open`. */
  private subscribed = nothingSubscribed;

  /** `tooMany` is called for each trigger dropped because `queuedMax` are queued already. */
  constructor(
    readonly port: TriggerPort,
    public observer: DispatchObserver | undefined,
    private readonly queuedMax: number,
    private readonly tooMany: () => void,
  ) {
    this.counts = new Float64Array(port.subscribed.length);
  }

  /** Must be called when the world has been built. From then on, triggers run scripts. */
  open(): void {
    this.subscribed = this.port.subscribed as Uint8Array<ArrayBuffer>;
  }

  /** Runs one script by key, as `TriggerPort.runScript` does. Also returns false while the world is being built. */
  runScript(key: string, entity: Entity, payload: Payload): boolean {
    return this.subscribed !== nothingSubscribed && this.port.runScript(key, entity, payload);
  }

  /**
   * Fires a `direct` trigger for the global scripts. `payload` is a function that builds the payload from `given`; it
   * is called only if a script or an observer listens.
   */
  fireGlobal<T extends TriggerType, Given extends readonly unknown[]>(
    type: T,
    payload: (...given: Given) => PayloadOf<T>,
    ...given: Given
  ): void;
  // The implementation has no rest parameter, because a rest parameter would allocate an array for each trigger.
  fireGlobal(type: TriggerType, payload: Maker, a?: unknown, b?: unknown, c?: unknown): void {
    const trigger = triggerIndex(type);
    if (this.hasListener(trigger)) this.fireOfHost(trigger, type, payload(a, b, c));
    else this.counts[trigger]!++;
  }

  /** Like `fireGlobal`, for the scripts of the entity itself. */
  fireEntity<T extends TriggerType, Given extends readonly unknown[]>(
    type: T,
    entity: Entity,
    payload: (...given: Given) => PayloadOf<T>,
    ...given: Given
  ): void;
  fireEntity(type: TriggerType, entity: Entity, payload: Maker, a?: unknown, b?: unknown, c?: unknown): void {
    const trigger = triggerIndex(type);
    this.counts[trigger]!++;
    if (!this.hasListener(trigger)) return;
    const made = payload(a, b, c);
    this.observer?.(type, 'entity', entity, made);
    if (this.subscribed[trigger] === 1) this.port.runEntity(trigger, entity, made);
  }

  /** Fires a trigger of the host for the global scripts. */
  fireOfHost(trigger: number, type: TriggerType, payload: Payload): void {
    this.counts[trigger]!++;
    this.observer?.(type, 'global', noEntity, payload);
    if (this.subscribed[trigger] === 1) this.port.runGlobal(trigger, payload);
  }

  private hasListener(trigger: number) {
    return this.subscribed[trigger] === 1 || this.observer !== undefined;
  }

  /** Queues a `queued` trigger for delivery later in the tick (reference: tick#queued-triggers). */
  enqueue<T extends TriggerType>(type: T, payload: PayloadOf<T>): void {
    if (this.queue.length >= this.queuedMax) {
      this.tooMany();
      return;
    }
    const trigger = triggerIndex(type);
    this.counts[trigger]!++;
    this.queueObserver?.(type, payload as Payload);
    this.queue.push(trigger, payload as Payload);
  }

  /** Reports a queued trigger to the observer, at its delivery to the global scripts or to an entity that listens. */
  observeQueued(trigger: number, payload: Payload, entity: Entity = noEntity): void {
    this.observer?.(triggerTypes[trigger]!, entity === noEntity ? 'global' : 'entity', entity, payload);
  }
}
