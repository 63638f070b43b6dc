import { defined, mapMembers } from '../../engine/core/index.ts';
import {
  type AnyHandle,
  type Entity,
  EntityHandle,
  type OutputEvent,
  type Payload,
  type Simulation,
  type TriggerObserver,
  type TriggerType,
  type ValueView,
} from '../../engine/index.ts';
import { decodePayload, viewValue } from '../../engine/tools.ts';
import { idOf } from '../expression/index.ts';

/** A trigger that fired, or an output event, as plain data. Entities are represented by their ids. */
export interface LoggedEvent {
  readonly tick: number;
  /** The time in simulated seconds. */
  readonly time: number;
  readonly event: 'trigger' | 'output';
  /** The trigger type or the kind of output. */
  readonly name: string;
  /** The entity whose own scripts the trigger runs; absent for global scripts. */
  readonly on?: string;
  /** The audience: `everyone` or the id of a player; absent if the output has none. */
  readonly to?: string;
  /** The script, and the type of the action, that published the output; absent if no script did. */
  readonly scriptId?: string;
  readonly actionType?: string;
  readonly details: { readonly [member: string]: ValueView };
}

/** Triggers that are not logged, because they fire on every tick and carry no information. */
const unlogged: ReadonlySet<TriggerType> = new Set<TriggerType>(['frameTick']);

/** Passes on the events of a game, in order. */
export class EventTap {
  /** The simulation, which is known from the first trigger on. A trigger fires before the first output. */
  sim: Simulation | undefined;

  constructor(private readonly take: (event: LoggedEvent) => void) {}

  readonly observer: TriggerObserver = (trigger, scope, entity, payload, sim) => {
    this.sim = sim;
    if (unlogged.has(trigger)) return;
    this.take({
      tick: sim.tick,
      time: sim.nowMs / 1000,
      event: 'trigger',
      name: trigger,
      ...(scope === 'entity' && { on: idIn(sim, entity) }),
      details: payloadDetails(sim, payload),
    });
  };

  readonly output = ({ kind, tick, time, to, scriptId, actionType, ...details }: OutputEvent) => {
    const audience = typeof to === 'object' ? idIn(this.sim, to.player) : to;
    this.take({
      tick,
      time,
      event: 'output',
      name: kind,
      ...defined({ to: audience, scriptId, actionType }),
      details: mapMembers(defined(details), viewValue),
    });
  };
}

function payloadDetails(sim: Simulation, payload: Payload) {
  return mapMembers(decodePayload(sim, payload), (value) => {
    const isEntity = value === undefined || value instanceof EntityHandle;
    return isEntity ? existingId(value as AnyHandle | undefined) : viewValue(value);
  });
}

/** The id of an entity; `gone` if it does not exist. */
export function idIn(sim: Simulation | undefined, entity: Entity): string {
  return existingId(sim?.handle(entity));
}

function existingId(handle: AnyHandle | undefined) {
  return handle?.exists === true ? idOf(handle) : 'gone';
}
