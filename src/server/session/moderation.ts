import { defined } from '../../../engine/core/index.ts';
import type { Clock } from '../../machine/index.ts';
import type { Community } from '../community/community.ts';
import type { RoomEntry, RoomsById, Seat } from '../lobby/room.ts';
import { siteOf } from './addresses.ts';
import { Buckets } from './buckets.ts';
import type { SessionMessage } from './codec.ts';
import type { Connection } from './connection.ts';
import type { Connections } from './connections.ts';

/** The part of `Community` that sessions need. */
export type Moderator = Pick<Community, 'bans' | 'act' | 'report'>;

/**
 * The limits of reports: for one site (see `siteOf`), and for all players of a room together. The limit of a room is
 * higher, so that one site cannot keep others from reporting.
 */
const siteReports = { size: 10, perSecond: 1 / 30 };
const roomReports = { size: 40, perSecond: 1 / 8 };

/** Applies bans and mutes to connections, and passes on a limited number of reports about players. */
export class Moderation {
  private readonly reports = new Buckets<string | RoomEntry>();

  /** Without a moderator, there are no bans and mutes, and reports are refused. */
  constructor(
    private readonly moderator: Moderator | undefined,
    private readonly rooms: RoomsById,
    private readonly connections: Connections,
    private readonly clock: Clock,
  ) {}

  isBanned({ socket }: Connection, { identity }: RoomEntry, userId: string | undefined): boolean {
    return this.moderator?.bans.of(identity.slug, userId, socket.address) !== undefined;
  }

  /** Mutes the player of a connection if a ban excludes it from the chat. */
  muteIfBanned({ socket }: Connection, room: RoomEntry, { player, userId }: Seat) {
    if (this.moderator?.bans.of(room.identity.slug, userId, socket.address, true))
      this.punish(room, player, 'banFromChat');
  }

  /** Kicks all players and spectators who are banned now, and mutes the players who may no longer chat. */
  enforceBans() {
    for (const room of this.rooms.values()) {
      const { slug } = room.identity;
      for (const { player, userId, session } of room.seats.values()) {
        const address = this.connections.of(session)?.socket.address ?? '';
        const ban = this.moderator?.bans.of(slug, userId, address);
        if (ban !== undefined) this.punish(room, player, 'kick', ban.reason);
        // Only mutes of the account are applied, because another player in the game may have the IP address of a muted
        // guest.
        else if (this.moderator?.bans.of(slug, userId, '', true)) this.punish(room, player, 'banFromChat');
      }
      for (const session of room.watchers) {
        const connection = this.connections.of(session);
        if (connection !== undefined && this.isBanned(connection, room, connection.watcherId)) connection.end('banned');
      }
    }
  }

  private punish(room: RoomEntry, player: string, action: 'kick' | 'banFromChat', message?: string) {
    void this.moderator?.act(room, { kind: 'hostModerate', player, action, ...defined({ message }) });
  }

  /** Passes on a player's report about another player, and tells the sender the outcome. */
  async report(
    connection: Connection,
    room: RoomEntry,
    { player: by }: Seat,
    { player: about, text }: Extract<SessionMessage, { kind: 'report' }>,
  ): Promise<void> {
    const { moderator } = this;
    const now = this.clock.now();
    const source = siteOf(connection.socket.address);
    // The bucket of the single connection is charged first, so that a report refused for one sender uses up nothing
    // that others share.
    const isLimited = ![
      connection.origin.buckets.reports,
      this.reports.of(source, siteReports, now),
      this.reports.of(room, roomReports, now),
    ].every((bucket) => bucket.spend(1, now));
    const outcome =
      moderator === undefined
        ? 'refused'
        : isLimited
          ? 'too-many'
          : await moderator.report(room, { by, about, text, source });
    if (typeof outcome === 'object') connection.send({ kind: 'reported', ...outcome });
    else connection.strike(outcome);
  }
}
