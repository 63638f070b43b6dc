import type { RoomJournal, StoredRoom } from '../journal/journal.ts';
import type { Clock } from '../machine/clock.ts';
import type { RoomEntry } from './room.ts';
import type { ThreadPool } from './thread-pool.ts';

/** The game was over before its first tick: such a room is of no use to anybody. */
export class EndedAtStart extends Error {
  constructor({ identity: { slug } }: RoomEntry) {
    super(`The game "${slug}" ends while it starts.`);
  }
}

/** More than three years, ms: no process plays a room for so long. */
const lifeMs = 1e11;
/** More than the time of a frame, which is that of a whole tick, is ahead of the clock. */
const beginMs = 1000;

interface OpeningsParts {
  readonly pool: ThreadPool;
  readonly clock: Clock;
  readonly journal: RoomJournal;
  /** Whether rooms stand still now, and so must new ones. */
  readonly isPaused: () => boolean;
}

/** Rooms that have been begun in a thread, which has not answered yet. */
export class Openings {
  private readonly parts: OpeningsParts;
  private begun = 0;
  private readonly waiting = new Map<string, { resolve(room: RoomEntry): void; reject(error: Error): void }>();

  constructor(parts: OpeningsParts) {
    this.parts = parts;
  }

  /** Resolves when the room is there. */
  begin(
    room: RoomEntry,
    how: { kind: 'open' } | ({ kind: 'resume' } & Pick<StoredRoom, 'snapshot' | 'ticks'>),
  ): Promise<RoomEntry> {
    const { pool, isPaused } = this.parts;
    const { identity } = room;
    return new Promise((resolve, reject) => {
      this.waiting.set(identity.id, { resolve, reject });
      pool.begin(room, { ...how, room: identity, startMs: this.startMs(identity.id) });
      if (isPaused()) room.thread.send({ kind: 'pause', room: identity.id, on: true });
    });
  }

  /** No wall clock has a part in it. Each process that plays the room is later than those before it, and so is each of its beginnings here. */
  private startMs(room: string): number {
    const { clock, journal } = this.parts;
    this.begun++;
    return journal.life(room) * lifeMs + clock.now() + this.begun * beginMs;
  }

  done(room: RoomEntry): void {
    this.take(room)?.resolve(room);
  }

  /** False for a room that is not being begun. */
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
