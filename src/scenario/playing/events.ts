import {
  type AnyHandle,
  actionAt,
  currentLocation,
  type OutputEvent,
  type Simulation,
  type TriggerObserver,
} from '../../../engine/index.ts';
import { decodePayload, rememberedType } from '../../../engine/tools.ts';
import { type EntityNames, entityText, valueText } from '../../expression/index.ts';

/** An event of the game, with its details as they were at that moment. */
export interface GameEvent {
  readonly tick: number;
  readonly kind: 'trigger' | 'output' | 'input' | 'fault' | 'refused';
  /** The trigger type, kind of output, kind of input, or fault code. */
  readonly name: string;
  /** The entity whose own scripts the trigger runs. */
  readonly on: AnyHandle | undefined;
  /** Entities are represented by handles, which stay valid after they are destroyed. */
  readonly details: Readonly<Record<string, unknown>>;
  /** The source location of the action that caused the event; -1 if there is none. */
  readonly location: number;
}

/** Triggers that are not logged, because they fire on every tick and carry no information. */
const unlogged: ReadonlySet<string> = new Set(['frameTick']);
/**
 * Events that reports leave out: `secondTick`; effects of walking and creation, for which there is a trigger, too; and
 * changes of inventory slots.
 */
const leftOutOfReports: ReadonlySet<string> = new Set(
  'secondTick effect unitSelectsInventorySlot thisUnitMovesItemInInventory thisItemChangesInventorySlot entityCreatedGlobal'.split(
    ' ',
  ),
);

/** All events since the game started, oldest first. Beyond the limit events are dropped and `isFull` is set. */
export class EventLog {
  readonly events: GameEvent[] = [];
  /** Whether events were dropped. */
  isFull = false;
  /** The total length of all strings in the events. */
  textLength = 0;
  /** Type names of destroyed entities. */
  private readonly formerTypes = new Map<AnyHandle, string>();
  private sim: Simulation | undefined;

  constructor(private readonly eventsMax: number) {}

  /**
   * Sets the simulation, from which the log gets source locations and players. Events of `gameStart` are logged before
   * this call, without both.
   */
  attach(sim: Simulation) {
    this.sim = sim;
  }

  readonly observer: TriggerObserver = (trigger, scope, entity, payload, sim) => {
    if (unlogged.has(trigger)) return;
    const on = scope === 'entity' ? sim.handle(entity) : undefined;
    if (trigger === 'initEntityDestroy' && on !== undefined) {
      const type = rememberedType(sim, entity);
      if (type !== undefined) this.formerTypes.set(on, type.name);
    }
    this.add({ tick: sim.tick, kind: 'trigger', name: trigger, on, details: decodePayload(sim, payload) });
  };

  readonly output = ({ kind, tick, time: _time, to, actionType: _, scriptId, ...members }: OutputEvent) => {
    // The script id is logged only for scripts that run on a client. For all other outputs, the source location
    // identifies the script and the action.
    const details = kind === 'client.script' ? { scriptId, ...members } : members;
    const audience = typeof to === 'object' ? this.sim?.handle(to.player) : to;
    this.add({
      tick,
      kind: 'output',
      name: kind,
      on: undefined,
      details: audience === undefined ? details : { to: audience, ...details },
    });
  };

  /** The name of the type that an entity had when it was destroyed; undefined for other entities. */
  formerType(entity: AnyHandle): string | undefined {
    return this.formerTypes.get(entity);
  }

  note(kind: 'input' | 'fault' | 'refused', name: string, details: GameEvent['details']) {
    this.add({ tick: this.sim?.tick ?? 0, kind, name, on: undefined, details });
  }

  /**
   * The last events for a report, oldest first. A trigger with several scopes appears once, and a contact appears with
   * both entities.
   */
  last(count: number): readonly GameEvent[] {
    const found: GameEvent[] = [];
    for (let i = this.events.length - 1; i >= 0 && found.length < count; i--) {
      const event = this.events[i]!;
      if (leftOutOfReports.has(event.name)) continue;
      const next = found.at(-1);
      if (next !== undefined && (repeats(event, next) || isFirstState(event, next))) continue;
      const other = next && touched(event, next);
      if (other === undefined) found.push(event);
      else found[found.length - 1] = { ...event, details: { ...event.details, touching: other } };
    }
    return found.reverse();
  }

  /** The last events with a name, oldest first, and how many there are in total. A contact has both of its entities. */
  lastOf(
    kind: GameEvent['kind'],
    name: string,
    count: number,
  ): { readonly shown: readonly GameEvent[]; readonly total: number } {
    const indices = this.events.flatMap((event, index) => (event.kind === kind && event.name === name ? [index] : []));
    const shown = indices.slice(-count).map((index) => {
      const event = this.events[index]!;
      const next = this.events[index + 1];
      const other = next && touched(event, next);
      return other === undefined ? event : { ...event, details: { ...event.details, touching: other } };
    });
    return { shown, total: indices.length };
  }

  private add(event: Omit<GameEvent, 'location'>) {
    if (this.events.length >= this.eventsMax) {
      this.isFull = true;
      return;
    }
    for (const value of Object.values(event.details)) if (typeof value === 'string') this.textLength += value.length;
    this.events.push({ ...event, location: this.sim === undefined ? -1 : currentLocation(this.sim) });
  }
}

/** Whether an entity-scoped trigger has the same payload as the global one that follows it. */
function repeats({ kind, name, on, tick, details }: GameEvent, next: GameEvent) {
  if (kind !== 'trigger' || on === undefined || next.kind !== 'trigger' || next.tick !== tick) return false;
  // This trigger names the other entity of the contact, so it does not repeat the next event.
  if (name.startsWith('entityTouches')) return false;
  const members = Object.keys(details);
  return (
    members.length > 0 &&
    members.length === Object.keys(next.details).length &&
    members.every((member) => details[member] === next.details[member])
  );
}

/** Whether the state change only sets the initial state of an entity that the next event creates or picks up. */
function isFirstState({ name, on, tick }: GameEvent, next: GameEvent) {
  if (name !== 'entityStateChanged' || next.tick !== tick) return false;
  return next.name === 'entityCreated'
    ? next.on === on
    : next.name === 'unitPicksUpItem' && next.details['item'] === on;
}

/**
 * The other entity of a contact. The global trigger names one, and the entity-scoped trigger that follows names the
 * other.
 */
function touched({ kind, name, on, tick, details }: GameEvent, next: GameEvent): unknown {
  const [, what = ''] = /^(?:unit|item|projectile)Touches(\w+)$/.exec(name) ?? [];
  const isPair = kind === 'trigger' && on === undefined && next.tick === tick && next.name === `entityTouches${what}`;
  if (!isPair || !Object.values(details).includes(next.on)) return undefined;
  return next.details[what.toLowerCase()];
}

/** A readable source location; undefined if no script caused the event. */
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

function detailText(sim: Simulation, value: unknown, names?: EntityNames) {
  if (typeof value === 'object' && value !== null && 'name' in value && 'value' in value && 'type' in value) {
    return `${String(value.name)} (was ${String(value.value)})`;
  }
  return valueText(sim, value, names);
}
