import type { RoomCommand } from '../room/messages.ts';
import type { Room } from './room.ts';
import type { ThreadPool } from './thread-pool.ts';

/** The game was over before its first tick: such a room is of no use to anybody. */
export class EndedAtStart extends Error {
  constructor({ identity: { slug } }: Room) {
    super(`The game "${slug}" ends while it starts.`);
  }
}

/** Rooms that have been begun in a thread, which has not answered yet. */
export class Openings {
  private readonly pool: ThreadPool;
  /** Whether rooms stand still now, and so must new ones. */
  private readonly isPaused: () => boolean;
  private readonly waiting = new Map<string, { resolve(room: Room): void; reject(error: Error): void }>();

  constructor(pool: ThreadPool, isPaused: () => boolean) {
    this.pool = pool;
    this.isPaused = isPaused;
  }

  /** Resolves when the room is there. */
  begin(room: Room, command: Extract<RoomCommand, { kind: 'open' | 'resume' }>): Promise<Room> {
    return new Promise((resolve, reject) => {
      this.waiting.set(room.identity.id, { resolve, reject });
      this.pool.begin(room, command);
      if (this.isPaused()) room.thread.send({ kind: 'pause', room: room.identity.id, on: true });
    });
  }

  done(room: Room): void {
    this.take(room)?.resolve(room);
  }

  /** False for a room that is not being begun. */
  fail(room: Room, error: Error): boolean {
    const opening = this.take(room);
    opening?.reject(error);
    return opening !== undefined;
  }

  private take({ identity: { id } }: Room) {
    const opening = this.waiting.get(id);
    this.waiting.delete(id);
    return opening;
  }
}
