import type { Reach } from '../../cluster/index.ts';
import type { Clock } from '../../machine/index.ts';
import type { Code } from '../../net/index.ts';
import type { RoomEntry, Seat } from '../lobby/room.ts';
import { wantedRoom } from '../lobby/room-choice.ts';
import type { Rooms } from '../lobby/rooms.ts';
import type { Connection } from './connection.ts';

/** The room if it is in this process, otherwise the process that plays it; a code if there is no room. */
type FoundRoom = RoomEntry | Reach | Code;

/** Finds the room that a client requests: by id, code, game and properties. */
export class RoomFinder {
  constructor(
    private readonly rooms: Rooms,
    private readonly clock: Clock,
  ) {}

  /**
   * The room for a player, preferably one in which the player already has a seat. `mayLeave`: the room may be in
   * another process even if this process has suitable rooms.
   */
  async forPlayer(
    connection: Connection,
    requested: string | undefined,
    isOwn: (seat: Seat) => boolean,
    mayLeave: boolean,
  ): Promise<FoundRoom> {
    const named = await this.named(connection, requested);
    if (named !== undefined) return named;
    const { name, filter } = wantedRoom(requested);
    // `requested` may be the name of a game rather than the id of a room.
    for (const room of this.rooms.byId.values()) {
      const isFitting = room.state === 'open' && (name === undefined || room.identity.slug === name);
      if (isFitting && [...room.seats.values()].some(isOwn)) return room;
    }
    return this.rooms.directory.roomFor(name, mayLeave, filter);
  }

  async forSpectator(connection: Connection, requested: string | undefined): Promise<FoundRoom> {
    return (await this.named(connection, requested)) ?? this.rooms.directory.roomToWatch(requested);
  }

  /** The room whose id or code is `requested`; undefined if `requested` is neither. */
  private async named(connection: Connection, requested: string | undefined): Promise<FoundRoom | undefined> {
    const { directory, byId } = this.rooms;
    const { code, name, filter } = wantedRoom(requested);
    if (code !== undefined) return this.private(connection, code);
    if (requested === undefined || filter.size > 0 || name === undefined || directory.isGame(requested)) {
      return undefined;
    }
    const room = await directory.find(requested);
    // A private room cannot be entered by its id, because ids appear in logs and metrics.
    if (room !== undefined && isRoom(room) && room.identity.code !== undefined) return 'no-such-room';
    return room ?? (byId.has(requested) ? 'room-ended' : undefined);
  }

  /** The private room with a code. */
  private async private({ origin }: Connection, code: string): Promise<FoundRoom> {
    // Beyond the limit, correct codes are refused, too; otherwise the limit would not slow down guessing. An attempt is
    // charged before the search, because several connections may guess at the same time.
    if (!origin.isTrusted && !origin.buckets.codes.spend(1, this.clock.now())) return 'too-many';
    const room = await this.rooms.directory.roomOfCode(code);
    if (room !== undefined) origin.buckets.codes.refund(1);
    return room ?? 'no-such-room';
  }
}

export function isRoom(found: FoundRoom): found is RoomEntry {
  return typeof found === 'object' && 'identity' in found;
}
