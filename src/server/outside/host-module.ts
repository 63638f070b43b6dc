import { cached, type Dictionary, messageOf } from '../../../engine/core/index.ts';
import type { HostWords } from '../../../engine/index.ts';
import { type Observer, ServerError, type WriteOutcome } from '../../cluster/index.ts';
import type { HostNotice, RoomEntry } from '../lobby/room.ts';
import type { RoomInput } from '../room/room-messages.ts';

/**
 * Values by the names of operands or of members of a payload. Entities are given by id, players in inputs by client id.
 */
type Values = Dictionary;

/** A room as seen by the host that plays it. */
export interface HostRoom {
  readonly id: string;
  /** The slug of the room's game. */
  readonly game: string;
  /**
   * Fires a trigger of the host in the next tick. Resolves with `kept` when that tick is in the journal, or with `lost`
   * if the room ends or loses the tick before that. An input that the game refuses is logged (`host-refused`).
   */
  fire(trigger: string, payload?: Values): Promise<WriteOutcome>;
  /**
   * Sets the value of a function of the host, for certain operands if it has any; null removes the value. Resolves like
   * `fire`.
   */
  tell(name: string, value: string | number | boolean | null, operands?: Values): Promise<WriteOutcome>;
}

/**
 * The operations and triggers that a host adds, and the code that performs them. All functions may be asynchronous;
 * their errors are logged (`host-failed`).
 */
export interface HostModule extends HostWords {
  /**
   * One function for each action, called with the values of the operands once the tick of the action is in the journal.
   * Each execution of an action makes at most one call; if the process dies at that moment, it makes none.
   */
  readonly handlers?: Dictionary<(values: Values, room: HostRoom) => unknown>;
  /** Called when a room was opened, or resumed in this process, so that the host can `tell` it values. */
  readonly opened?: (room: HostRoom) => unknown;
  /** Called when a room has ended, or another process plays it. */
  readonly closed?: (room: HostRoom) => unknown;
}

/**
 * The operations and triggers of a host module. Throws `ServerError` if one of its actions has no handler, or if there
 * are other handlers.
 */
export function wordsOf(host: HostModule | undefined): HostWords | undefined {
  if (host === undefined) return undefined;
  const { operations = {}, triggers = {}, handlers = {} } = host;
  for (const name of new Set([...Object.keys(operations), ...Object.keys(handlers)])) {
    const isAction = Object.hasOwn(operations, name) && operations[name]?.returns === undefined;
    if ((typeof handlers[name] === 'function') === isAction) continue;
    const message = isAction
      ? `The action ${name} needs a function handlers.${name}.`
      : `The function handlers.${name} has no action: declare the action ${name} in operations.`;
    throw new ServerError('bad-host', message);
  }
  return { operations, triggers };
}

/** Calls the functions of the host module. */
export class HostHandlers {
  private readonly rooms = new WeakMap<RoomEntry, HostRoom>();

  constructor(
    private readonly host: HostModule,
    private readonly observer: Observer,
    private readonly input: (room: RoomEntry, input: RoomInput) => Promise<WriteOutcome>,
  ) {}

  notify(entry: RoomEntry, what: HostNotice) {
    const name = typeof what === 'string' ? what : what.operation!;
    const act = (): unknown => {
      const room = this.roomOf(entry);
      if (typeof what === 'string') return this.host[what]?.(room);
      // A room of an older version may use actions that the host no longer has.
      return this.host.handlers?.[name]?.(what.values as Values, room);
    };
    Promise.resolve()
      .then(act)
      .catch((error: unknown) => {
        this.observer.problem('host-failed', `${name}: ${messageOf(error)}`, { room: entry.identity.id });
      });
  }

  private roomOf(entry: RoomEntry): HostRoom {
    const { id, slug } = entry.identity;
    return cached(this.rooms, entry, () => ({
      id,
      game: slug,
      fire: (trigger, payload = {}) => this.input(entry, { kind: 'host', trigger, payload }),
      tell: (name, value, operands = {}) => this.input(entry, { kind: 'hostValue', function: name, operands, value }),
    }));
  }
}
