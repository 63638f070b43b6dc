import type { OutputEvent } from '../../../engine/index.ts';
import { type Clock, within } from '../../machine/clock.ts';
import { AccountPersistence, type Belongings } from '../../store/account-persistence.ts';
import type { Store } from '../../store/store.ts';
import type { Observer } from '../base/observer.ts';
import type { Room } from './room.ts';

const retryMs = { first: 250, max: 10_000 } as const;

/** The accounts of the server's games: rooms of one game share them. Failed writes are tried again until the server is closed. */
export class Accounts {
  private readonly store: Store;
  private readonly observer: Observer;
  private readonly clock: Clock;
  private readonly byGame = new Map<string, AccountPersistence>();
  private readonly waits = new Set<() => void>();
  private isClosing = false;

  constructor(store: Store, observer: Observer, clock: Clock) {
    this.clock = clock;
    this.store = store;
    this.observer = observer;
  }

  async belongings(room: Room, userId: string): Promise<Belongings> {
    const persistence = this.persistenceOf(room);
    await persistence.fetch(userId);
    return persistence.belongings(userId);
  }

  save(room: Room, event: OutputEvent, atMs: number, comesAgain: boolean): void {
    this.persistenceOf(room).receive(event, atMs, comesAgain);
  }

  /** Waits until everything is written; false when `patienceMs` were not enough. */
  async close(patienceMs: number): Promise<boolean> {
    const settled = Promise.all([...this.byGame.values()].map((persistence) => persistence.settled()));
    const isSettled = await within(this.clock, patienceMs, settled);
    this.isClosing = true;
    for (const wake of this.waits) wake();
    return isSettled;
  }

  private persistenceOf({ definition, identity }: Room): AccountPersistence {
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
