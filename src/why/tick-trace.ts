import { isRecord } from '../../engine/core/index.ts';
import {
  type AnyHandle,
  type Call,
  type Entity,
  EntityHandle,
  type Input,
  type Node,
  type OutputEvent,
  type Payload,
  type Simulation,
  type TriggerType,
} from '../../engine/index.ts';
import {
  decodePayload,
  type ScriptContext,
  type TickTracer,
  triggersOf,
  valueWithHandles,
} from '../../engine/tools.ts';
import { type EntityNames, idOf, valueText } from '../expression/index.ts';
import { above as nodesAbove } from '../model/index.ts';
import { keyOf, type Reading, readingOf } from './reading.ts';

const gone = 'an entity that no longer exists';

/** A member of a payload: an entity by id, an attribute by key, or a value from the host. */
interface Named {
  readonly member: string;
  readonly text: string;
  readonly id?: string | undefined;
  readonly key?: string | undefined;
}

/** A trigger that fired, with its entities as text. */
export interface Fired {
  readonly trigger: TriggerType;
  /** The entity whose own scripts the trigger runs; undefined for global scripts. */
  readonly on: string | undefined;
  readonly onId: string | undefined;
  readonly payload: readonly Named[];
}

/** A value that a script read. */
export interface ValueRead extends Reading {
  readonly node: Call;
  /** The id of the value, if it is an entity and expressions can name it: the id must not be the name of a variable. */
  readonly id: string | undefined;
  /** The position within the tick at which the value was read last. */
  readonly step: number;
}

/**
 * Something that was in progress while a value changed. `by` says what changed the state; only frames of the system
 * `edit` have it.
 */
export type Frame = { readonly step: number; readonly fired: readonly Fired[] } & (
  | { readonly kind: 'system'; readonly name: string; readonly by?: string | undefined }
  | { readonly kind: 'input'; readonly input: Input }
  | { readonly kind: 'timer'; readonly sequence: number }
  | { readonly kind: 'turn'; readonly id: string; readonly text: string }
  | {
      readonly kind: 'rule';
      readonly event: string;
      readonly id: string;
      readonly text: string;
      readonly other: string;
    }
  | { readonly kind: 'trigger'; readonly is: Fired; readonly queuedBy: Queued | undefined }
  | {
      readonly kind: 'script';
      readonly index: number;
      readonly on: string | undefined;
      readonly reads: readonly ValueRead[];
    }
  | { readonly kind: 'action'; readonly location: number; readonly reads: readonly ValueRead[] }
);

/**
 * A frame before it is opened. The conditional type keeps the members of the union apart, which `Omit` alone would not.
 */
type NewFrame<F = Frame> = F extends unknown ? Omit<F, 'step' | 'fired'> : never;

/** The frames that were in progress when a trigger was queued. */
interface Queued {
  readonly step: number;
  readonly frames: readonly Frame[];
}

/** A change of the value within a tick. */
export interface Change {
  /** The position within the tick: the number of steps before it. */
  readonly step: number;
  readonly before: Reading;
  readonly after: Reading;
  /** The frames that were in progress, innermost last. */
  readonly frames: readonly Frame[];
  /** The outputs that were posted since the previous step. */
  readonly posted: readonly OutputEvent[];
}

/** Whether the value did not exist before this change, because its entity did not exist yet. */
export function isCreation({ before }: Change): boolean {
  return before.text.startsWith('nothing: ');
}

/** A frame in progress. Its values are still those of the script; when the frame ends, they become readings. */
export interface OpenFrame {
  readonly frame: Frame;
  readonly values: Map<Call, { readonly value: unknown; readonly step: number }>;
  readonly fired: Fired[];
}

const firedMax = 100;

/**
 * Reads a value before and after every step of a tick: actions, scripts, triggers, turns of entities, rules, systems,
 * inputs and timers. A change between two steps belongs to the frames in progress there.
 */
export class TickTrace implements TickTracer {
  readonly changes: Change[] = [];
  /** The step at which each action began. */
  readonly actions: number[] = [];
  /** The values that the watched action read, for each time that it ran. */
  readonly watchedRuns: (readonly ValueRead[])[] = [];
  private readonly watched: number | undefined;
  private sim: Simulation | undefined;
  private step = 0;
  private posted: OutputEvent[] = [];
  private key: string | number = '';
  private last: Reading = { value: null, text: 'nothing' };
  protected readonly open: OpenFrame[] = [];
  private latest: Fired | undefined;
  private latestPayload: Payload | undefined;
  private readonly queuedFrames = new WeakMap<Payload, Queued>();

  /** `read` returns the current value. `watched` is the location of the action whose reads are kept. */
  constructor(
    private readonly read: () => unknown,
    private readonly names: EntityNames | undefined,
    watched?: number,
  ) {
    this.watched = watched;
  }

  /** Reads the value for the first time. Call it before the first step, once the value can be read. */
  begin(sim: Simulation) {
    this.sim = sim;
    const value = this.read();
    this.key = keyOf(value);
    this.last = readingOf(sim, value, this.names);
    sim.on('output', (event) => this.posted.push(event));
  }

  /** Reads the value for the last time. Call it after the last step. */
  end() {
    this.check();
  }

  system(name: string, by?: string) {
    this.check();
    this.open.length = 0;
    this.push({ kind: 'system', name, by });
  }

  input(input: unknown) {
    this.endTurn();
    this.push({ kind: 'input', input: input as Input });
  }

  turn(entity: Entity) {
    this.endTurn();
    this.push({ kind: 'turn', id: this.idOf(entity), text: this.textOf(entity) });
  }

  timer(sequence: number) {
    this.check();
    this.push({ kind: 'timer', sequence });
  }

  rule(event: string, subject: Entity, other: Entity | undefined) {
    this.check();
    const what = other === undefined ? '' : this.textOf(other);
    this.push({ kind: 'rule', event, id: this.idOf(subject), text: this.textOf(subject), other: what });
  }

  queued(_trigger: TriggerType, payload: Payload) {
    this.check();
    this.queuedFrames.set(payload, { step: this.step, frames: this.frames() });
  }

  fired(trigger: TriggerType, entity: Entity, payload: Payload) {
    this.check();
    this.latestPayload = payload;
    this.latest = {
      trigger,
      on: entity === 0 ? undefined : this.textOf(entity),
      onId: entity === 0 ? undefined : this.idOf(entity),
      payload: this.named(payload),
    };
    const fired = this.open.at(-1)?.fired;
    if (fired !== undefined && fired.length < firedMax) fired.push(this.latest);
  }

  enter(kind: 'trigger' | 'script' | 'action', index: number, context?: ScriptContext) {
    this.check();
    if (kind === 'action') {
      this.actions.push(this.step);
      this.push({ kind, location: index, reads: [] });
    } else if (kind === 'script') {
      const self = context?.self ?? 0;
      this.push({ kind, index, on: self === 0 ? undefined : this.textOf(self), reads: [] });
    } else {
      const is = this.latest ?? {
        trigger: triggersOf(this.sim!.definition).types[index]!,
        on: undefined,
        onId: undefined,
        payload: [],
      };
      const { latestPayload } = this;
      this.push({ kind, is, queuedBy: latestPayload && this.queuedFrames.get(latestPayload) });
    }
  }

  leave() {
    this.check();
    const left = this.open.pop();
    if (left?.frame.kind === 'action' && left.frame.location === this.watched)
      this.watchedRuns.push(this.readsOf(left.values));
  }

  value(node: Call, value: unknown) {
    this.open.at(-1)?.values.set(node, { value, step: this.step });
  }

  private endTurn() {
    this.check();
    // Turns and inputs do not nest: each ends when the next one begins, or the next system.
    const { length } = this.open;
    for (let i = length - 1; i >= 0; i--) {
      const { kind } = this.open[i]!.frame;
      if (kind === 'turn' || kind === 'input') this.open.length = i;
      else if (kind === 'system') break;
    }
  }

  private push(frame: NewFrame) {
    const fired: Fired[] = [];
    this.open.push({ frame: { ...frame, step: this.step, fired } as Frame, values: new Map(), fired });
  }

  private check() {
    this.step++;
    const { sim } = this;
    if (sim === undefined) return;
    const value = this.read();
    const key = keyOf(value);
    if (Object.is(key, this.key)) {
      if (this.posted.length > 0) this.posted = [];
      return;
    }
    const after = readingOf(sim, value, this.names);
    this.changes.push({ step: this.step, before: this.last, after, frames: this.frames(), posted: this.posted });
    this.key = key;
    this.last = after;
    this.posted = [];
  }

  /** The open frames, with the values that were read so far. */
  private frames(): readonly Frame[] {
    return this.open.map(({ frame, values }) =>
      frame.kind === 'action' || frame.kind === 'script' ? { ...frame, reads: this.readsOf(values) } : frame,
    );
  }

  protected readsOf(values: OpenFrame['values']): ValueRead[] {
    return this.sim === undefined ? [] : readsAmong(this.sim, values, this.names);
  }

  private idOf(entity: Entity) {
    const handle = this.sim?.handle(entity);
    return handle === undefined ? '?' : idOf(handle);
  }

  private named(payload: Payload): readonly Named[] {
    const { sim } = this;
    if (sim === undefined) return [];
    return Object.entries(decodePayload(sim, payload)).map(([member, value]) => {
      if (value === undefined) return { member, id: '?', text: gone };
      const text = valueText(sim, value, this.names);
      if (value instanceof EntityHandle) return { member, id: idOf(value as AnyHandle), text };
      if (!isRecord(value)) return { member, text };
      const { type, name } = value as unknown as NonNullable<Payload['attribute']>;
      return { member, key: type, text: name || type };
    });
  }

  private textOf(entity: Entity) {
    const { sim } = this;
    const handle = sim?.handle(entity);
    return sim === undefined || handle === undefined ? gone : valueText(sim, handle, this.names);
  }
}

/** Values that functions returned, as reads. */
export function readsAmong(sim: Simulation, values: OpenFrame['values'], names: EntityNames | undefined): ValueRead[] {
  return [...values].map(([node, { value, step }]) => {
    const given = valueWithHandles(sim, value);
    const id = given instanceof EntityHandle ? nameableId(sim, idOf(given as AnyHandle)) : undefined;
    return { node, step, id, ...readingOf(sim, given, names) };
  });
}

/** The id of an entity; undefined if a variable has the same name, because an expression would mean the variable. */
export function nameableId({ definition }: Simulation, id: string | undefined): string | undefined {
  return id === undefined || definition.variables.has(id) ? undefined : id;
}

/** Whether a node is below another one. */
export function isBelow(node: Node, above: Node): boolean {
  return [...nodesAbove(node)].includes(above);
}
