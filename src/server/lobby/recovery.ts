import type { Observer } from '../base/observer.ts';
import { type Definitions, ServedDefinition } from '../definitions/library.ts';
import type { RoomJournal, StoredRoom } from '../journal/journal.ts';
import type { Clock } from '../machine/clock.ts';
import type { RoomIdentity, RoomSnapshot } from '../room/messages.ts';
import type { Openings } from './openings.ts';
import type { RoomEntry } from './room.ts';
import type { Seats } from './seats.ts';
import type { ThreadPool } from './thread-pool.ts';

const failuresMax = 3;
const failuresWithinMs = 60_000;

/** A room whose journal cannot be read for this many seconds is closed. */
const readsMax = 60;
const readAgainMs = 1000;
/** Where processes share a journal, another may have taken the room and ended it. */
export const notThere = 'The journal does not have it.';

interface RecoveryParts {
  readonly library: Definitions;
  readonly observer: Observer;
  readonly journal: RoomJournal;
  readonly clock: Clock;
  readonly pool: ThreadPool;
  readonly seats: Seats;
  readonly openings: Openings;
  /** Adds a room that is begun next. */
  readonly add: (identity: RoomIdentity, definition: ServedDefinition) => RoomEntry;
  readonly isHere: (room: RoomEntry) => boolean;
  readonly setAside: (id: string) => void;
  readonly keepDefinition: (definition: ServedDefinition) => Promise<void>;
  /** The room cannot go on. */
  readonly giveUp: (room: RoomEntry) => void;
}

/** Rooms that go on from what is kept of them: after the end of a process or a thread, and in another thread. */
export class Recovery {
  private readonly parts: RecoveryParts;

  constructor(parts: RecoveryParts) {
    this.parts = parts;
  }

  /** A room that was played before, by this process or another. Undefined where it cannot be resumed; it is set aside then. */
  async resume({ room: identity, ...given }: StoredRoom): Promise<RoomEntry | undefined> {
    const { library, observer, openings, add, isHere, setAside, keepDefinition } = this.parts;
    let room: RoomEntry | undefined;
    try {
      const known = library.all.find(({ version }) => version === identity.version);
      const { definition, waited } = known
        ? { definition: known, waited: false }
        : await this.storedDefinition(identity);
      // Meanwhile another process may have taken it.
      const stored = waited ? await this.readStored(identity.id) : given;
      if (stored === undefined) return undefined;
      const { snapshot, ticks } = stored;
      room = add(identity, definition);
      await keepDefinition(definition).catch(() => {});
      return await openings.begin(room, { kind: 'resume', snapshot, ticks });
    } catch (error) {
      if (room === undefined) {
        observer.problem('resume-failed', messageOf(error), { room: identity.id });
        setAside(identity.id);
        return undefined;
      }
      await this.recover(room);
      return isHere(room) ? room : undefined;
    }
  }

  /** The room has failed, or its thread: it is played on from what is kept of it, and connections come again. */
  async recover(room: RoomEntry): Promise<void> {
    const { clock, seats, pool, observer, isHere, giveUp } = this.parts;
    // Another process may have taken it.
    if (!isHere(room)) return;
    const now = clock.now();
    room.failures = [...room.failures.filter((at) => at > now - failuresWithinMs), now];
    room.state = 'opening';
    room.isBegun = false;
    seats.drop(room);
    const isFailing = room.failures.length > failuresMax;
    const stored = isFailing ? undefined : await this.readStored(room.identity.id);
    if (!isHere(room)) return;
    if (stored === undefined) {
      const reason = isFailing ? `It failed ${room.failures.length} times within a minute.` : notThere;
      observer.problem('resume-failed', reason, { room: room.identity.id });
      giveUp(room);
      return;
    }
    room.thread = pool.free();
    await this.beginAgain(room, stored);
  }

  /** The room goes to a thread for slow rooms. */
  async move(room: RoomEntry, snapshot: RoomSnapshot): Promise<void> {
    const { seats, pool, observer } = this.parts;
    seats.drop(room);
    room.thread = pool.forSlow();
    observer.event('room-moved', { room: room.identity.id, thread: room.thread.id });
    await this.beginAgain(room, { snapshot, ticks: [] });
  }

  private async beginAgain(
    room: RoomEntry,
    { snapshot, ticks }: Pick<StoredRoom, 'snapshot' | 'ticks'>,
  ): Promise<void> {
    try {
      await this.parts.openings.begin(room, { kind: 'resume', snapshot, ticks });
    } catch {
      // The reason is in the log. It may be the fault of another room of the thread.
      await this.recover(room);
    }
  }

  /** `waited`: it could not be read at once. */
  private async storedDefinition({ id, version, slug }: RoomIdentity) {
    let attempts = 0;
    const text = await this.readAgain(id, () => {
      attempts++;
      return this.parts.journal.readDefinition(version);
    });
    const definition = text === undefined ? undefined : ServedDefinition.of(text, slug);
    if (definition === undefined) throw new Error(`Its definition ${version} is not there any more.`);
    return { definition, waited: attempts > 1 };
  }

  private readStored(id: string): Promise<StoredRoom | undefined> {
    return this.readAgain(id, () => this.parts.journal.read(id));
  }

  /** The data of a room in the journal; a disk that fails is asked again. Undefined where it cannot be read for so long. */
  private async readAgain<T>(id: string, read: () => Promise<T | undefined>): Promise<T | undefined> {
    const { observer, clock } = this.parts;
    for (let attempt = 1; ; attempt++) {
      try {
        return await read();
      } catch (error) {
        observer.problem('journal-failed', messageOf(error), { room: id });
        if (attempt === readsMax) return undefined;
        await new Promise<void>((resolve) => clock.after(readAgainMs, resolve));
      }
    }
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
