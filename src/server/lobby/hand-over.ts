import type { Observer } from '../base/observer.ts';
import type { RoomJournal, SharedRooms } from '../journal/journal.ts';
import type { Clock } from '../machine/clock.ts';
import type { RoomSnapshot } from '../room/messages.ts';
import { messageOf } from './recovery.ts';
import type { RoomEntry } from './room.ts';
import type { Seats } from './seats.ts';

const lookMs = 50;

interface Left {
  readonly id: string;
  /** Connections that are to follow it. */
  readonly sessions: readonly number[];
}

/** Rooms that this process has given up as they stand, for others to play on, and the connections that wait for the place. */
export class HandOver {
  private readonly parts: {
    readonly journal: RoomJournal;
    readonly observer: Observer;
    readonly clock: Clock;
    readonly seats: Seats;
  };
  private readonly left: Left[] = [];

  constructor(parts: HandOver['parts']) {
    this.parts = parts;
  }

  /** The thread has let the room go. Resolves when all of it is kept, and the outcomes of its last inputs have been sent. */
  async keep(
    room: RoomEntry,
    { snapshot, hash }: { readonly snapshot: RoomSnapshot; readonly hash: string },
  ): Promise<void> {
    const { journal, observer, seats } = this.parts;
    const { id, slug } = room.identity;
    seats.stopWaiting(room);
    try {
      await journal.keepSnapshot(id, snapshot);
    } catch (error) {
      // It goes on from what is kept: nothing beyond that was acknowledged.
      observer.problem('journal-failed', messageOf(error), { room: id });
    }
    await journal.settled();
    const sessions = [...room.seats.values()].flatMap(({ session }) => (session === undefined ? [] : [session]));
    this.left.push({ id, sessions: [...sessions, ...room.watchers] });
    room.insights.end('elsewhere');
    room.seats.clear();
    room.watchers.clear();
    observer.event('room-handed-over', { room: id, slug, tick: snapshot.tick, hash });
  }

  /** Sends connections the place of their rooms, as soon as another process has them; when the time is over, to look for themselves. */
  async announce(shared: SharedRooms, patienceMs: number): Promise<void> {
    const { clock, seats } = this.parts;
    const until = clock.now() + patienceMs;
    let waiting = this.left.splice(0);
    while (waiting.length > 0) {
      const isOver = clock.now() >= until;
      const places = await Promise.all(waiting.map(({ id }) => shared.locate(id).catch(() => undefined)));
      waiting = waiting.filter(({ sessions }, i) => {
        const place = places[i];
        const isTaken = place?.isAlive === true && !place.isOurs;
        if (!isTaken && !isOver) return true;
        for (const session of sessions) seats.listener.moved(session, (isTaken ? place.url : undefined) ?? '');
        return false;
      });
      if (waiting.length > 0) await new Promise<void>((resolve) => clock.after(lookMs, resolve));
    }
  }
}
