import {
  type AnyHandle,
  actionAt,
  currentLocation,
  type OutputEvent,
  type Payload,
  type Simulation,
  type TriggerObserver,
} from '../../engine/index.ts';
import { rememberedType } from '../../engine/internal.ts';
import type { EntityNames } from '../expression/source.ts';
import { entityText, valueText } from '../expression/value-text.ts';

/** Something that happened, as it was at that moment. */
export interface GameEvent {
  readonly tick: number;
  readonly timeMs: number;
  readonly kind: 'trigger' | 'output' | 'input' | 'fault' | 'refused';
  /** Trigger type, kind of output, kind of input or code of a fault. */
  readonly name: string;
  /** The entity whose own scripts a trigger starts. */
  readonly on: AnyHandle | undefined;
  /** Entities are handles, which outlive them. */
  readonly details: Readonly<Record<string, unknown>>;
  /** The action that caused it; -1 for none. */
  readonly location: number;
}

/** It fires at every tick and says nothing. */
const unlogged: ReadonlySet<string> = new Set(['frameTick']);
/**
 * Reports leave these out: a passed second, which is counted; effects of walking and of creation, which repeat a trigger; slots of
 * the inventory.
 */
const dull: ReadonlySet<string> = new Set([
  'secondTick',
  'effect',
  'unitSelectsInventorySlot',
  'thisUnitMovesItemInInventory',
  'thisItemChangesInventorySlot',
  'entityCreatedGlobal',
]);

/** Everything that happened since the game began, oldest first. Past the limit nothing more is kept, and that is said. */
export class EventLog {
  readonly events: GameEvent[] = [];
  /** Whether there was more than the limit allows. */
  isFull = false;
  private readonly eventsMax: number;
  /** Names of the types of entities that are gone. */
  private readonly formerTypes = new Map<AnyHandle, string>();
  private sim: Simulation | undefined;

  constructor(eventsMax: number) {
    this.eventsMax = eventsMax;
  }

  /** From now on places can be named. Until then nothing but `gameStart` runs. */
  attach(sim: Simulation): void {
    this.sim = sim;
  }

  readonly observer: TriggerObserver = (trigger, scope, entity, payload, sim) => {
    if (unlogged.has(trigger)) return;
    const on = scope === 'entity' ? sim.handle(entity) : undefined;
    if (trigger === 'initEntityDestroy' && on !== undefined) {
      const type = rememberedType(sim, entity);
      if (type !== undefined) this.formerTypes.set(on, type.name);
    }
    this.add(sim.tick, sim.nowMs, 'trigger', trigger, on, payloadDetails(sim, payload));
  };

  readonly output = ({ kind, tick, time, to, actionType: _, scriptId, ...members }: OutputEvent): void => {
    // The location says which action it was; of a script that a client shall run the id is what the event is about.
    const details = kind === 'client.script' ? { scriptId, ...members } : members;
    const audience = typeof to === 'object' ? this.sim?.handle(to.player) : to;
    this.add(
      tick,
      time * 1000,
      'output',
      kind,
      undefined,
      audience === undefined ? details : { to: audience, ...details },
    );
  };

  /** The name of the type that an entity had when it went. */
  formerType(entity: AnyHandle): string | undefined {
    return this.formerTypes.get(entity);
  }

  note(kind: 'input' | 'fault' | 'refused', name: string, details: Readonly<Record<string, unknown>>): void {
    this.add(this.sim?.tick ?? 0, this.sim?.nowMs ?? 0, kind, name, undefined, details);
  }

  /** The last ones that a report shows, oldest first. A trigger of several scopes stands there once, and a contact with both of its entities. */
  last(count: number): readonly GameEvent[] {
    const found: GameEvent[] = [];
    for (let i = this.events.length - 1; i >= 0 && found.length < count; i--) {
      const event = this.events[i]!;
      if (dull.has(event.name)) continue;
      const next = found.at(-1);
      if (next !== undefined && (repeats(event, next) || isFirstState(event, next))) continue;
      const other = next === undefined ? undefined : touched(event, next);
      if (other === undefined) found.push(event);
      else found[found.length - 1] = { ...event, details: { ...event.details, touching: other } };
    }
    return found.reverse();
  }

  /** The last ones of a name, oldest first, a contact with both of whom it is. Gives how many there are of it, too. */
  lastOf(
    kind: GameEvent['kind'],
    name: string,
    count: number,
  ): { readonly shown: readonly GameEvent[]; readonly total: number } {
    const indices = this.events.flatMap((event, index) => (event.kind === kind && event.name === name ? [index] : []));
    const shown = indices.slice(-count).map((index) => {
      const event = this.events[index]!;
      const next = this.events[index + 1];
      const other = next === undefined ? undefined : touched(event, next);
      return other === undefined ? event : { ...event, details: { ...event.details, touching: other } };
    });
    return { shown, total: indices.length };
  }

  private add(
    tick: number,
    timeMs: number,
    kind: GameEvent['kind'],
    name: string,
    on: AnyHandle | undefined,
    details: GameEvent['details'],
  ): void {
    if (this.events.length >= this.eventsMax) {
      this.isFull = true;
      return;
    }
    this.events.push({
      tick,
      timeMs,
      kind,
      name,
      on,
      details,
      location: this.sim === undefined ? -1 : currentLocation(this.sim),
    });
  }
}

/** Whether a trigger of an entity's own scripts says what the next one says for all. */
function repeats({ kind, name, on, tick, details }: GameEvent, next: GameEvent): boolean {
  if (kind !== 'trigger' || on === undefined || next.kind !== 'trigger' || next.tick !== tick) return false;
  // It names the other of two, where the next one begins with another contact.
  if (name.startsWith('entityTouches')) return false;
  const members = Object.keys(details);
  return (
    members.length > 0 &&
    members.length === Object.keys(next.details).length &&
    members.every((member) => details[member] === next.details[member])
  );
}

/** Whether a state is the one that something is made with, or comes into a hand with, as the next event says. */
function isFirstState({ name, on, tick }: GameEvent, next: GameEvent): boolean {
  if (name !== 'entityStateChanged' || next.tick !== tick) return false;
  return next.name === 'entityCreated'
    ? next.on === on
    : next.name === 'unitPicksUpItem' && next.details['item'] === on;
}

/** The other entity of a contact: the trigger for all names one, and that of its own scripts, which follows, the other. */
function touched({ kind, name, on, tick, details }: GameEvent, next: GameEvent): unknown {
  const [, what = ''] = /^(?:unit|item|projectile)Touches(\w+)$/.exec(name) ?? [];
  const isPair = kind === 'trigger' && on === undefined && next.tick === tick && next.name === `entityTouches${what}`;
  if (!isPair || !Object.values(details).includes(next.on)) return undefined;
  return next.details[what.toLowerCase()];
}

function payloadDetails(sim: Simulation, payload: Payload): Record<string, unknown> {
  const details: Record<string, unknown> = {};
  for (const [member, value] of Object.entries(payload)) {
    details[member] = typeof value === 'number' ? sim.handle(value) : value;
  }
  return details;
}

/** Where in the scripts an event came from, for people; undefined for what no script caused. */
export function placeOf(sim: Simulation, location: number): string | undefined {
  const found = actionAt(sim, location);
  if (found === undefined) return undefined;
  const { script, path, type } = found;
  return `"${script.name}" action ${path} (${type})`;
}

export function eventText(sim: Simulation, event: GameEvent, names?: EntityNames): string {
  const details = Object.entries(event.details)
    .filter(([, value]) => value !== undefined)
    .map(([member, value]) => `${member} ${detailText(sim, value, names)}`);
  const on = event.on === undefined ? '' : ` on ${entityText(sim, event.on, names)}`;
  const kind = event.kind === 'trigger' ? '' : `${event.kind} `;
  return `${kind}${event.name}${on}${details.length > 0 ? `: ${details.join(', ')}` : ''}`;
}

function detailText(sim: Simulation, value: unknown, names?: EntityNames): string {
  if (typeof value === 'object' && value !== null && 'name' in value && 'value' in value && 'type' in value) {
    return `${String(value.name)} (was ${String(value.value)})`;
  }
  return valueText(sim, value, names);
}
