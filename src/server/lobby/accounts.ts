import { messageOf } from '../../../engine/core/index.ts';
import type { OutputEvent } from '../../../engine/index.ts';
import type { Observer, WriteOutcome } from '../../cluster/index.ts';
import { type Clock, within } from '../../machine/index.ts';
import { AccountPersistence, type SavedJoinData, type Store } from '../../store/index.ts';
import type { HostInput } from '../room/messages.ts';
import type { RoomEntry, Seat } from './room.ts';

const retryMs = { first: 250, max: 10_000 } as const;
/** How long a join waits for a store that does not answer. */
const joinPatienceMs = 3000;

/** Delivers an input to a player, at most once for each key. */
type Deliver = (room: RoomEntry, input: HostInput, key: string) => Promise<WriteOutcome>;

/**
 * The accounts of the server's games, which all rooms of a game share. Failed writes are retried until the server
 * closes. Data that could not be read when its player joined is loaded and delivered later.
 */
export class Accounts {
  private readonly store: Store;
  private readonly observer: Observer;
  private readonly clock: Clock;
  private readonly deliverInput: Deliver;
  private readonly byGame = new Map<string, AccountPersistence>();
  private readonly waits = new Set<() => void>();
  /** Seats of players whose data could not be read yet, with their rooms. */
  private readonly late = new Map<Seat, RoomEntry>();
  /** Those whose data has been read and is being delivered. */
  private readonly delivering = new Set<Seat>();
  private isReading = false;
  /** What the store has failed to do since it last did it. */
  private readonly failing = new Set<'load' | 'save'>();
  private isClosing = false;

  constructor(store: Store, observer: Observer, clock: Clock, deliverInput: Deliver) {
    this.clock = clock;
    this.store = {
      load: (gameId, userId) => this.watched('load', store.load(gameId, userId)),
      save: (gameId, userId, kept) => this.watched('save', store.save(gameId, userId, kept)),
    };
    this.observer = observer;
    this.deliverInput = deliverInput;
  }

  /**
   * Reads something. Databases are connected to on first use: without this, a wrong password would show when the first
   * account joins.
   */
  async begin(): Promise<void> {
    try {
      await this.store.load('', '');
    } catch (error) {
      this.observer.problem('store-failed', `The store cannot be read: ${messageOf(error)}`);
    }
  }

  get isStoreFailing(): boolean {
    return this.failing.size > 0;
  }

  /** Players whose data could not be read yet. */
  get lateCount(): number {
    return this.late.size;
  }

  async savedDataOf(room: RoomEntry, userId: string): Promise<SavedJoinData> {
    const persistence = this.persistenceOf(room);
    await within(this.clock, joinPatienceMs, persistence.fetch(userId));
    return persistence.joinData(userId);
  }

  save(room: RoomEntry, event: OutputEvent, atMs: number, isRepeated: boolean): void {
    this.persistenceOf(room).receive(event, atMs, isRepeated);
  }

  /**
   * Delivers the saved data of a player as soon as it can be read. The player has joined without it, here or in an
   * earlier process of the room.
   */
  loadLater(room: RoomEntry, seat: Seat): void {
    if (seat.userId === undefined || this.late.has(seat)) return;
    this.late.set(seat, room);
    this.observer.dataLate('missing');
    this.observer.event('saved-data-late', { room: room.identity.id, player: seat.player });
    if (!this.isReading) void this.readLate();
  }

  /** `settled`, after which nothing is retried. */
  async close(patienceMs: number): Promise<boolean> {
    const isSettled = await this.settled(patienceMs);
    this.isClosing = true;
    for (const wake of this.waits) wake();
    return isSettled;
  }

  /** Waits until everything is written, at most `patienceMs`; false if that was not enough. */
  settled(patienceMs: number): Promise<boolean> {
    const settled = Promise.all([...this.byGame.values()].map((persistence) => persistence.settled()));
    return within(this.clock, patienceMs, settled);
  }

  /** Reads one account after the other. If one fails, all wait for the next attempt, because they share the store. */
  private async readLate(): Promise<void> {
    this.isReading = true;
    for (let attempt = 1; this.late.size > 0; attempt++) {
      await this.wait(attempt);
      for (const [seat, room] of this.late) {
        if (room.seats.get(seat.player) !== seat) {
          this.late.delete(seat);
          // What it saved in the meantime is merged with the stored data when the store can be written again.
          this.observer.dataLate('left');
          continue;
        }
        // The player is still joining, or its room is being moved to another thread.
        if (!seat.isIn || room.state !== 'open' || this.delivering.has(seat)) continue;
        if (!(await this.persistenceOf(room).fetch(seat.userId!))) break;
        attempt = 0;
        void this.deliver(room, seat, this.persistenceOf(room).joinData(seat.userId!));
      }
    }
    this.isReading = false;
  }

  private async deliver(room: RoomEntry, seat: Seat, { persisted = {} }: SavedJoinData): Promise<void> {
    const { player, joinedMs } = seat;
    this.delivering.add(seat);
    const key = `savedData ${player} ${joinedMs}`;
    const outcome = await this.deliverInput(room, { kind: 'savedData', player, persisted }, key);
    this.delivering.delete(seat);
    // The room failed in the meantime, or the player left.
    if (outcome !== 'kept' || !this.late.delete(seat)) return;
    this.observer.dataLate('loaded');
    this.observer.event('saved-data-loaded', { room: room.identity.id, player });
  }

  private async watched<T>(what: 'load' | 'save', answer: Promise<T>): Promise<T> {
    try {
      const answered = await answer;
      if (this.failing.delete(what) && this.failing.size === 0) this.observer.event('store-working', {});
      return answered;
    } catch (error) {
      const isNew = !this.failing.has(what);
      this.failing.add(what);
      if (isNew && what === 'load') void this.probe();
      throw error;
    }
  }

  /** Reads until it succeeds. Failed writes are retried anyway, but whoever could not be read may be gone. */
  private async probe(): Promise<void> {
    for (let attempt = 1; this.failing.has('load'); attempt++) {
      await this.wait(attempt);
      await this.store.load('', '').catch(() => {});
    }
  }

  private persistenceOf({ definition, identity }: RoomEntry): AccountPersistence {
    const gameId = definition.game.definition.defaultData._id ?? identity.slug;
    let persistence = this.byGame.get(gameId);
    if (persistence === undefined) {
      persistence = new AccountPersistence(this.store, gameId, {
        onError: (error) => {
          const message = `Saved data could not be read or written; this is retried: ${messageOf(error)}`;
          this.observer.problem('store-failed', message, { slug: identity.slug });
        },
        beforeRetry: (attempt) => this.wait(attempt),
      });
      this.byGame.set(gameId, persistence);
    }
    return persistence;
  }

  private wait(attempt: number): Promise<void> {
    // A closed server retries nothing, so that the process can end.
    if (this.isClosing) return new Promise(() => {});
    const ms = Math.min(retryMs.max, retryMs.first * 2 ** (attempt - 1));
    return new Promise((resolve) => {
      const wake = (): void => {
        timer.cancel();
        this.waits.delete(wake);
        if (!this.isClosing) resolve();
      };
      const timer = this.clock.after(ms, wake);
      this.waits.add(wake);
    });
  }
}
