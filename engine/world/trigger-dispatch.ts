import { type Entity, noEntity } from './entity.ts';
import type { OutputSource } from './outbox.ts';
import { TriggerQueue } from './trigger-queue.ts';
import { type Payload, type PayloadOf, type TriggerType, triggerIndex, triggerTypes } from './triggers.ts';

/** Through this the rules reach the scripts without knowing them. The script runtime is one. */
export interface TriggerPort {
  /** 1 per trigger that some script of the definition listens to, on any scope. */
  readonly subscribed: Uint8Array;
  runGlobal(trigger: number, payload: Payload): void;
  runEntity(trigger: number, entity: Entity, payload: Payload): void;
  /** The bits (`queuedBits`) of the queued triggers that scripts of the entity's type listen to. */
  queuedFor(entity: Entity): number;
  /** Whether a script of the entity's type listens to a trigger. */
  listens(trigger: number, entity: Entity): boolean;
  /** Those of all types together. */
  readonly queuedForAny: number;
  /** Runs one script by key: the entity's own first, then the global one (reference: scripts#lookup-by-name). False when there is none. */
  runScript(key: string, entity: Entity, payload: Payload): boolean;
  /** Script and action that is running now, for faults; `engine` when none is. */
  place(): string;
  /** The same for output events; undefined when none is. */
  source(): OutputSource | undefined;
}

/** Called for a trigger at the moment it fires, whether or not a script listens. `entity` is 0 on the global scope. */
export type DispatchObserver = (
  trigger: TriggerType,
  scope: 'global' | 'entity',
  entity: Entity,
  payload: Payload,
) => void;

/** Makes a payload of three values at most. */
type Maker = (a: unknown, b: unknown, c: unknown) => Payload;

const nothingSubscribed = new Uint8Array(triggerTypes.length);

/**
 * Triggers on their way from rules to scripts: direct ones at once, queued ones at their place in the tick.
 *
 * While a world is built no script runs: walls, debris, regions and computer players are there before the first script, as in the reference
 * (reference: tick#start). Triggers that fire until `open` are counted and observed, and queued ones wait for the first tick.
 */
export class Triggers {
  readonly port: TriggerPort;
  observer: DispatchObserver | undefined;
  /** How often each has fired. */
  readonly counts = new Float64Array(triggerTypes.length);
  readonly queue = new TriggerQueue();
  private readonly queuedMax: number;
  private readonly tooMany: () => void;
  /** Those that run scripts now. */
  private subscribed = nothingSubscribed;

  /** `tooMany` is called when more triggers wait than `queuedMax`. */
  constructor(port: TriggerPort, observer: DispatchObserver | undefined, queuedMax: number, tooMany: () => void) {
    this.port = port;
    this.observer = observer;
    this.queuedMax = queuedMax;
    this.tooMany = tooMany;
  }

  /** The world is built: from now on triggers run scripts. */
  open(): void {
    this.subscribed = this.port.subscribed as Uint8Array<ArrayBuffer>;
  }

  /** Runs one script by key, as `TriggerPort.runScript` does; false also while the world is built. */
  runScript(key: string, entity: Entity, payload: Payload): boolean {
    return this.subscribed !== nothingSubscribed && this.port.runScript(key, entity, payload);
  }

  /** For triggers whose row says `direct`. `payload` makes the payload of the `given`, for scripts or an observer that listen. */
  fireGlobal<T extends TriggerType, Given extends readonly unknown[]>(
    type: T,
    payload: (...given: Given) => PayloadOf<T>,
    ...given: Given
  ): void;
  // The given are no rest of parameters, which would be a list made for each trigger.
  fireGlobal(type: TriggerType, payload: Maker, a?: unknown, b?: unknown, c?: unknown): void {
    const trigger = triggerIndex(type);
    this.counts[trigger]!++;
    if (!this.hasListener(trigger)) return;
    const made = payload(a, b, c);
    this.observer?.(type, 'global', noEntity, made);
    if (this.subscribed[trigger] === 1) this.port.runGlobal(trigger, made);
  }

  /** The same for the own scripts of an entity. */
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

  private hasListener(trigger: number): boolean {
    return this.subscribed[trigger] === 1 || this.observer !== undefined;
  }

  /** For triggers whose row says `queued`. The tick delivers them (reference: tick#queued-triggers). */
  enqueue<T extends TriggerType>(type: T, payload: PayloadOf<T>): void {
    if (this.queue.length >= this.queuedMax) {
      this.tooMany();
      return;
    }
    const trigger = triggerIndex(type);
    this.counts[trigger]!++;
    this.queue.push(trigger, payload as Payload);
  }

  /** A queued trigger reaches the global scripts, or an entity with a script that listens to it: the moment at which observers see it. */
  observeQueued(trigger: number, payload: Payload, entity: Entity = noEntity): void {
    this.observer?.(triggerTypes[trigger]!, entity === noEntity ? 'global' : 'entity', entity, payload);
  }
}
