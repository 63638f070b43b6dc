import type { ServerClock, Timer } from '../../machine/index.ts';
import { type Code, TokenBucket } from '../../net/index.ts';
import type { RoomEntry, RoomsById, Seat } from '../lobby/room.ts';
import { siteOf } from './addresses.ts';
import type { SessionMessage } from './codec.ts';
import type { Connection } from './connection.ts';
import type { Connections } from './connections.ts';

/** What sessions need of `Community`. */
export interface Moderator {
  /** The ban that keeps somebody out of a game, if there is one. */
  banOf(slug: string, userId: string | undefined, address: string): { readonly reason: string } | undefined;
  /** Whether somebody is excluded from the chat of a game. */
  isMuted(slug: string, userId: string | undefined, address: string): boolean;
  mute(room: RoomEntry, player: string): void;
  /** Keeps a report, and returns its id, or why it was not kept. */
  report(
    room: RoomEntry,
    report: { readonly by: string; readonly about: string; readonly text: string; readonly source: string },
  ): Promise<{ readonly report: string } | Code>;
}

/**
 * How many reports a site may send, and all players of a room together: those may send more, so that one site does not
 * keep others from reporting.
 */
const siteReports = { size: 10, perSecond: 1 / 30 };
const roomReports = { size: 40, perSecond: 1 / 8 };
const sweepMs = 10_000;

/** Applies bans and mutes to connections, and passes on a limited number of reports about players. */
export class Moderation {
  private readonly reports = new Map<string | RoomEntry, TokenBucket>();
  private readonly sweeper: Timer;

  /** Without a moderator, nobody is banned or muted, and reports are refused. */
  constructor(
    private readonly moderator: Moderator | undefined,
    private readonly rooms: RoomsById,
    private readonly connections: Connections,
    private readonly clock: ServerClock,
  ) {
    this.sweeper = clock.every(sweepMs, () => {
      const now = clock.now();
      for (const [source, bucket] of this.reports) if (bucket.fill(now) === 1) this.reports.delete(source);
    });
  }

  close(): void {
    this.sweeper.cancel();
  }

  isBanned({ socket }: Connection, { identity }: RoomEntry, userId: string | undefined): boolean {
    return this.moderator?.banOf(identity.slug, userId, socket.address) !== undefined;
  }

  /** Mutes the player of a connection if a ban from the chat says so. */
  muteIfBanned({ socket }: Connection, room: RoomEntry, { player, userId }: Seat): void {
    if (this.moderator?.isMuted(room.identity.slug, userId, socket.address) === true) this.moderator.mute(room, player);
  }

  /** Removes everybody who is banned now, and mutes who may not chat. `kick` removes a player from its game. */
  enforceBans(kick: (room: RoomEntry, player: string, reason: string) => void): void {
    for (const room of this.rooms.values()) {
      const { slug } = room.identity;
      for (const { player, userId, session } of room.seats.values()) {
        const address = this.connections.of(session)?.socket.address ?? '';
        const ban = this.moderator?.banOf(slug, userId, address);
        if (ban !== undefined) kick(room, player, ban.reason);
        // By account only: others in the game may have the address of a muted guest.
        else if (this.moderator?.isMuted(slug, userId, '') === true) this.moderator.mute(room, player);
      }
      for (const session of room.watchers) {
        const connection = this.connections.of(session);
        if (connection !== undefined && this.isBanned(connection, room, connection.watcherId)) connection.end('banned');
      }
    }
  }

  /** Passes on a player's report about another one, and tells the sender what became of it. */
  async report(
    connection: Connection,
    room: RoomEntry,
    { player: by }: Seat,
    { player: about, text }: Extract<SessionMessage, { kind: 'report' }>,
  ): Promise<void> {
    const { moderator } = this;
    const now = this.clock.now();
    const source = siteOf(connection.socket.address);
    // In this order, so that what is refused to one source does not use up what others share.
    const isLimited = ![connection.origin.reports, this.reportsOf(source, now), this.reportsOf(room, now)].every(
      (bucket) => bucket.spend(1, now),
    );
    const outcome =
      moderator === undefined
        ? 'refused'
        : isLimited
          ? 'too-many'
          : await moderator.report(room, { by, about, text, source });
    if (typeof outcome === 'object') connection.send({ kind: 'reported', ...outcome });
    else connection.strike(outcome);
  }

  /** What a site or a room may still report. */
  private reportsOf(source: string | RoomEntry, now: number): TokenBucket {
    const bucket =
      this.reports.get(source) ?? new TokenBucket(typeof source === 'string' ? siteReports : roomReports, now);
    this.reports.set(source, bucket);
    return bucket;
  }
}
