import { messageOf } from '../../engine/core/index.ts';
import { type Clock, pause } from '../machine/index.ts';
import type { RoomJournal, SharedRooms } from './journal.ts';
import type { Observer } from './operator/observer.ts';
import type { ReservedUntil, RoomIdentity, RoomSnapshot } from './stored-room.ts';

const pollMs = 50;

/** A room of this process, with its connections. */
interface LeavingRoom {
  readonly identity: Pick<RoomIdentity, 'id' | 'slug'>;
  readonly reserved: ReadonlyMap<string, Omit<ReservedUntil, 'id'>>;
  readonly seats: ReadonlyMap<string, { readonly session: number | undefined }> & { clear(): void };
  readonly watchers: ReadonlySet<number> & { clear(): void };
}

interface ReleasedRoom {
  readonly id: string;
  /** The connections to which the new URL of the room must be sent. */
  readonly sessions: readonly number[];
}

/** Hands rooms over to other processes, and tells their clients where the rooms continue. */
export class HandOver<R extends LeavingRoom> {
  private readonly parts: {
    readonly journal: RoomJournal;
    readonly observer: Observer;
    readonly clock: Clock;
    readonly seats: {
      readonly listener: { dropped(session: number, code: 'elsewhere', text: string): void };
      stopWaiting(room: R): void;
    };
  };
  private readonly released: ReleasedRoom[] = [];

  constructor(parts: HandOver<R>['parts']) {
    this.parts = parts;
  }

  /**
   * Writes a room, which its thread has released, to the journal: for another process or, with `room-kept`, for the
   * next start. Resolves when the room is written and the results of its last inputs have been sent.
   */
  async keep(
    room: R,
    { snapshot, hash }: { readonly snapshot: RoomSnapshot; readonly hash: string },
    what: 'room-handed-over' | 'room-kept' = 'room-handed-over',
  ): Promise<void> {
    const { journal, observer, seats } = this.parts;
    const { id, slug } = room.identity;
    const reserved = [...room.reserved].map(([seat, { userId, untilMs }]) => ({ id: seat, userId, untilMs }));
    seats.stopWaiting(room);
    try {
      await journal.keepSnapshot(id, { ...snapshot, reserved });
    } catch (error) {
      // The room will continue from the state in the journal. Nothing later was acknowledged.
      observer.problem('journal-failed', `The last snapshot of the room could not be written: ${messageOf(error)}`, {
        room: id,
      });
    }
    await journal.settled();
    const sessions = [...room.seats.values()].flatMap(({ session }) => (session === undefined ? [] : [session]));
    this.released.push({ id, sessions: [...sessions, ...room.watchers] });
    room.seats.clear();
    room.watchers.clear();
    observer.event(what, { room: id, slug, tick: snapshot.tick, hash });
  }

  /**
   * Sends clients the new URL of their room as soon as another process has the room. After `patienceMs`, clients are
   * disconnected without a URL.
   */
  async announce(shared: SharedRooms | undefined, patienceMs: number): Promise<void> {
    const { clock, seats } = this.parts;
    const until = clock.now() + patienceMs;
    let waiting = this.released.splice(0);
    while (waiting.length > 0) {
      const isOver = clock.now() >= until;
      const locations = await Promise.all(waiting.map(({ id }) => shared?.locate(id).catch(() => undefined)));
      waiting = waiting.filter(({ sessions }, i) => {
        const location = locations[i];
        const isTaken = location?.isAlive === true && !location.isOurs;
        if (!isTaken && !isOver) return true;
        for (const session of sessions)
          seats.listener.dropped(session, 'elsewhere', (isTaken ? location.reach.url : undefined) ?? '');
        return false;
      });
      if (waiting.length > 0) await pause(clock, pollMs);
    }
  }
}
