import { cached, messageOf } from '../../../engine/core/index.ts';
import type { OutputEvent } from '../../../engine/index.ts';
import type { Observer } from '../../cluster/index.ts';
import { type Clock, resultWithin, within } from '../../machine/index.ts';
import { AccountPersistence, type SavedJoinData, type Store } from '../../store/index.ts';
import type { RoomEntry } from './room.ts';

const retryMs = { first: 250, max: 10_000 } as const;
/** How long a join waits for a store that does not answer, ms. */
const joinPatienceMs = 3000;
/** How long a join waits for a store that may first have to start other hosts, ms. */
const claimPatienceMs = 15_000;

/**
 * The accounts of the server's games. All rooms of a game share them. Failed writes are retried until the server
 * closes.
 */
export class Accounts {
  private readonly store: Store;
  private readonly byGame = new Map<string, AccountPersistence>();
  private readonly waits = new Set<() => void>();
  /** The operations of the store that failed and have not succeeded since. */
  private readonly failing = new Set<'load' | 'save'>();
  private isClosing = false;

  constructor(
    store: Store,
    private readonly observer: Observer,
    private readonly clock: Clock,
  ) {
    this.store = {
      load: (gameId, userId) => this.watched('load', store.load(gameId, userId)),
      save: (gameId, userId, kept) => this.watched('save', store.save(gameId, userId, kept)),
      claim: store.claim,
    };
  }

  /**
   * Tests the store with a read. Databases are connected to on first use, so without this, a wrong password would be
   * noticed only when the first account joins.
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

  /** The saved data with which an account joins a room; undefined if the store cannot be read. */
  async savedDataOf(room: RoomEntry, userId: string): Promise<SavedJoinData | undefined> {
    const persistence = this.persistenceOf(room);
    const patienceMs = this.store.claim === undefined ? joinPatienceMs : claimPatienceMs;
    const isFetched = await resultWithin(this.clock, patienceMs, persistence.fetch(userId));
    return isFetched ? persistence.joinData(userId) : undefined;
  }

  save(room: RoomEntry, event: OutputEvent<'persistence'>, atMs: number, isRepeated: boolean) {
    this.persistenceOf(room).receive(event, atMs, isRepeated);
  }

  /** Like `settled`, but nothing is retried afterwards. */
  async close(patienceMs: number): Promise<boolean> {
    const isSettled = await this.settled(patienceMs);
    this.isClosing = true;
    for (const wake of this.waits) wake();
    return isSettled;
  }

  /** Waits until everything is written, for at most `patienceMs`. Resolves with false if that was not enough. */
  settled(patienceMs: number): Promise<boolean> {
    const settled = Promise.all([...this.byGame.values()].map((persistence) => persistence.settled()));
    return within(this.clock, patienceMs, settled);
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

  /**
   * Repeats a test read until reads succeed again. Unlike failed writes, failed reads are not retried, because the
   * players who needed the data may be gone.
   */
  private async probe() {
    for (let attempt = 1; this.failing.has('load'); attempt++) {
      await this.wait(attempt);
      await this.store.load('', '').catch(() => {});
    }
  }

  private persistenceOf({ definition, identity }: RoomEntry): AccountPersistence {
    const gameId = definition.game.definition.defaultData._id ?? identity.slug;
    const make = () =>
      new AccountPersistence(this.store, gameId, {
        onError: (error) => {
          const message = `Saved data could not be read or written; this is retried: ${messageOf(error)}`;
          this.observer.problem('store-failed', message, { slug: identity.slug });
        },
        beforeRetry: (attempt) => this.wait(attempt),
      });
    return cached(this.byGame, gameId, make);
  }

  private wait(attempt: number): Promise<void> {
    // After the server was closed, nothing is retried, so that its process can end.
    if (this.isClosing) return new Promise(() => {});
    const ms = Math.min(retryMs.max, retryMs.first * 2 ** (attempt - 1));
    return new Promise((resolve) => {
      const wake = () => {
        timer.cancel();
        this.waits.delete(wake);
        if (!this.isClosing) resolve();
      };
      const timer = this.clock.after(ms, wake);
      this.waits.add(wake);
    });
  }
}
