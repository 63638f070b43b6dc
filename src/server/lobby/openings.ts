import type { StoredRoom } from '../../cluster/index.ts';
import type { LobbyParts } from './parts.ts';
import { type RoomEntry, tell } from './room.ts';

/** Thrown for a room that is useless, because its game was over before its first tick. */
export class EndedAtStart extends Error {
  constructor({ identity: { slug } }: RoomEntry) {
    super(`The game "${slug}" was over before its first tick.`);
  }
}

/** More than three years: longer than any process plays a room, ms. */
const lifeMs = 1e11;
/**
 * How much later the room time of each further opening starts, ms. Frame times are rounded to whole ticks and may
 * therefore be ahead of the clock, but by less than this.
 */
const openingMs = 1000;

/** The rooms that a thread is opening or resuming. */
export class Openings {
  private openingsMade = 0;
  private readonly waiting = new Map<string, { resolve(room: RoomEntry): void; reject(error: Error): void }>();

  /** `isPaused` returns whether all rooms are paused now, including new ones. */
  constructor(
    private readonly parts: LobbyParts,
    private readonly isPaused: () => boolean,
  ) {}

  /** Opens or resumes a room in its thread. Resolves when the thread has done so. */
  begin(
    room: RoomEntry,
    how: { kind: 'open' } | ({ kind: 'resume' } & Pick<StoredRoom, 'snapshot' | 'ticks'>),
  ): Promise<RoomEntry> {
    const { identity } = room;
    return new Promise((resolve, reject) => {
      this.waiting.set(identity.id, { resolve, reject });
      this.parts.pool.begin(room, { ...how, room: identity, startMs: this.startMs(identity.id) });
      if (this.isPaused()) tell(room, { kind: 'pause', on: true });
    });
  }

  /**
   * The first room time for an opening. It increases with each process that plays the room, and with each opening in
   * this process. Never uses wall time, which may go back.
   */
  private startMs(room: string) {
    const { clock, journal } = this.parts;
    this.openingsMade++;
    return journal.incarnation(room) * lifeMs + clock.now() + this.openingsMade * openingMs;
  }

  done(room: RoomEntry) {
    this.take(room)?.resolve(room);
  }

  /** Rejects the opening of a room. Returns false if the room is not being opened. */
  fail(room: RoomEntry, error: Error): boolean {
    const opening = this.take(room);
    opening?.reject(error);
    return opening !== undefined;
  }

  private take({ identity: { id } }: RoomEntry) {
    const opening = this.waiting.get(id);
    this.waiting.delete(id);
    return opening;
  }
}
