import type { OutputEvent } from '../../../engine/index.ts';
import { AccountPersistence, type SavedJoinData } from '../../store/account-persistence.ts';
import type { Store } from '../../store/store.ts';
import type { Observer } from '../base/observer.ts';
import type { Fate } from '../journal/journal.ts';
import { type Clock, within } from '../machine/clock.ts';
import type { HostInput } from '../room/messages.ts';
import type { RoomEntry, Seat } from './room.ts';

const retryMs = { first: 250, max: 10_000 } as const;
/** A join waits so long for a store that does not answer. */
const joinPatienceMs = 3000;

/** Brings an input to a player, once under a key. */
type Bring = (room: RoomEntry, input: HostInput, key: string) => Promise<Fate>;

/**
 * The accounts of the server's games: rooms of one game share them. Failed writes are tried again until the server is closed. Data that could not be read
 * when its player joined is read and brought later.
 */
export class Accounts {
  private readonly store: Store;
  private readonly observer: Observer;
  private readonly clock: Clock;
  private readonly bring: Bring;
  private readonly byGame = new Map<string, AccountPersistence>();
  private readonly waits = new Set<() => void>();
  /** Seats of players without their data, with their rooms. */
  private readonly late = new Map<Seat, RoomEntry>();
  /** Those of them to which it is on its way. */
  private readonly coming = new Set<Seat>();
  private isReading = false;
  private isClosing = false;

  constructor(store: Store, observer: Observer, clock: Clock, bring: Bring) {
    this.clock = clock;
    this.store = store;
    this.observer = observer;
    this.bring = bring;
  }

  /** Players whose data could not be read yet. */
  get lateCount(): number {
    return this.late.size;
  }

  async belongings(room: RoomEntry, userId: string): Promise<SavedJoinData> {
    const persistence = this.persistenceOf(room);
    await within(this.clock, joinPatienceMs, persistence.fetch(userId));
    return persistence.joinData(userId);
  }

  save(room: RoomEntry, event: OutputEvent, atMs: number, comesAgain: boolean): void {
    this.persistenceOf(room).receive(event, atMs, comesAgain);
  }

  /** The player of the seat has joined without its data, here or in the process that had the room before. The data is brought as soon as it can be read. */
  loadLater(room: RoomEntry, seat: Seat): void {
    if (seat.userId === undefined || this.late.has(seat)) return;
    this.late.set(seat, room);
    this.observer.dataLate('missing');
    this.observer.event('saved-data-late', { room: room.identity.id, player: seat.player });
    if (!this.isReading) void this.readLate();
  }

  /** Waits until everything is written; false when `patienceMs` were not enough. */
  async close(patienceMs: number): Promise<boolean> {
    const settled = Promise.all([...this.byGame.values()].map((persistence) => persistence.settled()));
    const isSettled = await within(this.clock, patienceMs, settled);
    this.isClosing = true;
    for (const wake of this.waits) wake();
    return isSettled;
  }

  /** One account after the other is read, and where that fails, all wait: the store is one for all. */
  private async readLate(): Promise<void> {
    this.isReading = true;
    for (let attempt = 1; this.late.size > 0; attempt++) {
      await this.wait(attempt);
      for (const [seat, room] of this.late) {
        if (room.seats.get(seat.player) !== seat) {
          this.late.delete(seat);
          // What it has saved is merged with the stored data when that can be written.
          this.observer.dataLate('left');
          continue;
        }
        // It is about to join, or its room is on its way to another thread.
        if (!seat.isIn || room.state !== 'open' || this.coming.has(seat)) continue;
        if (!(await this.persistenceOf(room).fetch(seat.userId!))) break;
        attempt = 0;
        void this.deliver(room, seat, this.persistenceOf(room).joinData(seat.userId!));
      }
    }
    this.isReading = false;
  }

  private async deliver(room: RoomEntry, seat: Seat, { persisted = {} }: SavedJoinData): Promise<void> {
    const { player, joinedMs } = seat;
    this.coming.add(seat);
    const key = `savedData ${player} ${joinedMs}`;
    const fate = await this.bring(room, { kind: 'savedData', player, persisted }, key);
    this.coming.delete(seat);
    // It was on its way when the room failed, or the player left.
    if (fate !== 'kept' || !this.late.delete(seat)) return;
    this.observer.dataLate('loaded');
    this.observer.event('saved-data-loaded', { room: room.identity.id, player });
  }

  private persistenceOf({ definition, identity }: RoomEntry): AccountPersistence {
    const gameId = definition.game.definition.defaultData._id ?? identity.slug;
    let persistence = this.byGame.get(gameId);
    if (persistence === undefined) {
      persistence = new AccountPersistence(this.store, gameId, {
        onError: (error) => {
          const message = error instanceof Error ? error.message : String(error);
          this.observer.problem('store-failed', message, { slug: identity.slug });
        },
        beforeRetry: (attempt) => this.wait(attempt),
      });
      this.byGame.set(gameId, persistence);
    }
    return persistence;
  }

  private wait(attempt: number): Promise<void> {
    // A server that is closed tries no more, and the process may end.
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
