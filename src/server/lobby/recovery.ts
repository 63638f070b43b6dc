import { messageOf } from '../../../engine/core/index.ts';
import type { RoomIdentity, RoomSnapshot, StoredRoom } from '../../cluster/index.ts';
import { unpackGame } from '../../load/index.ts';
import { pause } from '../../machine/index.ts';
import { ServedDefinition } from '../definitions/served.ts';
import type { JournalWrites } from './journal-writes.ts';
import type { Openings } from './openings.ts';
import type { LobbyParts } from './parts.ts';
import { isHere, type RoomEntry } from './room.ts';

const failuresMax = 3;
const failuresWithinMs = 60_000;

/** After this many failed attempts to read the journal of a room, the room is closed. */
const readsMax = 60;
const readRetryMs = 1000;
/** In a shared journal, the room may be missing because another process has taken it over and ended it. */
export const missingInJournal = 'The journal does not contain the room.';

interface RecoveryParts extends LobbyParts {
  readonly openings: Openings;
  /** Adds a room that is about to be opened. */
  readonly add: (identity: RoomIdentity, definition: ServedDefinition) => RoomEntry;
  readonly writes: JournalWrites;
  /** Ends a room that cannot be recovered. */
  readonly giveUp: (room: RoomEntry) => void;
}

/** Resumes rooms from the journal after a process or a thread has ended, and moves rooms between threads. */
export class Recovery {
  constructor(private readonly parts: RecoveryParts) {}

  /**
   * Resumes a room that was played before, by this process or another. If it cannot be resumed, sets it aside and
   * returns undefined.
   */
  async resume({ room: identity, ...given }: StoredRoom): Promise<RoomEntry | undefined> {
    const { library, observer, openings, writes, rooms, add } = this.parts;
    let room: RoomEntry | undefined;
    try {
      const known = library.all.find(({ version }) => version === identity.version);
      const { definition, waited } = known
        ? { definition: known, waited: false }
        : await this.storedDefinition(identity);
      // The room is read again after waiting, because another process may have taken it over.
      const stored = waited ? await this.readStored(identity.id) : given;
      if (stored === undefined) return undefined;
      const { snapshot, ticks } = stored;
      room = add(identity, definition);
      this.parts.seats.reserveAgain(room, snapshot?.reserved ?? []);
      await writes.keepDefinition(definition).catch(() => {});
      return await openings.begin(room, { kind: 'resume', snapshot, ticks });
    } catch (error) {
      if (room === undefined) {
        observer.problem('resume-failed', `The room is set aside: ${messageOf(error)}`, { room: identity.id });
        writes.remove(identity.id, 'setAside');
        return undefined;
      }
      await this.recover(room);
      return isHere(rooms, room) ? room : undefined;
    }
  }

  /** Resumes a room from the journal after the room or its thread has failed. Its clients must reconnect. */
  async recover(room: RoomEntry): Promise<void> {
    const { clock, seats, pool, observer, rooms, giveUp } = this.parts;
    // Another process may have taken over the room.
    if (!isHere(rooms, room)) return;
    const now = clock.now();
    room.failures = [...room.failures.filter((at) => at > now - failuresWithinMs), now];
    room.state = 'opening';
    room.isBegun = false;
    room.movesTo = undefined;
    seats.drop(room);
    const isFailing = room.failures.length > failuresMax;
    const stored = isFailing ? undefined : await this.readStored(room.identity.id);
    if (!isHere(rooms, room)) return;
    if (stored === undefined) {
      const reason = isFailing
        ? `The room failed ${room.failures.length} times within a minute and is closed.`
        : missingInJournal;
      observer.problem('resume-failed', reason, { room: room.identity.id });
      giveUp(room);
      return;
    }
    room.thread = pool.leastBusy();
    await this.resumeIn(room, stored);
  }

  /**
   * Moves a room, which its thread has already released, to another thread. By default, that is a thread for slow
   * rooms.
   */
  async move(room: RoomEntry, snapshot: RoomSnapshot): Promise<void> {
    const { seats, pool, observer } = this.parts;
    seats.drop(room);
    room.thread = room.movesTo ?? pool.forSlowRoom();
    room.movesTo = undefined;
    observer.event('room-moved', { room: room.identity.id, thread: room.thread.id });
    await this.resumeIn(room, { snapshot, ticks: [] });
  }

  /** Resumes a room in its current thread, and recovers it if that fails. */
  private async resumeIn(room: RoomEntry, { snapshot, ticks }: Pick<StoredRoom, 'snapshot' | 'ticks'>) {
    try {
      await this.parts.openings.begin(room, { kind: 'resume', snapshot, ticks });
    } catch {
      // The error has been logged. Another room of the thread may have caused it.
      await this.recover(room);
    }
  }

  /**
   * Reads the definition of a room from the journal. `waited` in the result: whether the first attempt failed. Rejects
   * if the journal does not contain the definition.
   */
  private async storedDefinition({ id, version, slug }: RoomIdentity) {
    let attempts = 0;
    const packed = await this.readWithRetries(id, () => {
      attempts++;
      return this.parts.journal.readDefinition(version);
    });
    const { text, host } = unpackGame(packed ?? '');
    const definition = packed === undefined ? undefined : ServedDefinition.of(text, slug, host);
    if (definition === undefined)
      throw new Error(`The journal does not contain the room's definition (version ${version}).`);
    return { definition, waited: attempts > 1 };
  }

  private readStored(id: string): Promise<StoredRoom | undefined> {
    return this.readWithRetries(id, () => this.parts.journal.read(id));
  }

  /**
   * Reads from the journal, and retries after errors. Undefined if the journal contains nothing, or after `readsMax`
   * attempts.
   */
  private async readWithRetries<T>(id: string, read: () => Promise<T | undefined>): Promise<T | undefined> {
    const { observer, clock } = this.parts;
    for (let attempt = 1; ; attempt++) {
      try {
        return await read();
      } catch (error) {
        observer.problem('journal-failed', `The room could not be read: ${messageOf(error)}`, { room: id, attempt });
        if (attempt === readsMax) return undefined;
        await pause(clock, readRetryMs);
      }
    }
  }
}
