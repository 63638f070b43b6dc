import { isObject } from '../../engine/core/index.ts';
/** What one account keeps between sessions: plain data, as in the simulation's `persistence` events. */
export interface AccountData {
  readonly player?: unknown;
  readonly unit?: unknown;
  readonly highscore?: number;
  /** When the newest part was saved, in ms since 1970, if the host provides it. */
  readonly savedAtMs?: number;
}

/**
 * Where a host stores the data of players. Ids of accounts and games can be any text. `PersistenceService` guarantees
 * that an account is neither read nor written while it is being written.
 */
export interface Store {
  /** Undefined if nothing is stored for the account. */
  load(gameId: string, userId: string): Promise<AccountData | undefined>;
  /** Replaces what was stored. */
  save(gameId: string, userId: string, kept: AccountData): Promise<void>;
  /**
   * Called before an account joins, for stores whose hosts may die with saves that only they can repeat: resolves when
   * the other hosts have written what they owe.
   */
  claim?: ((gameId: string, userId: string) => Promise<void>) | undefined;
}

export interface StoredAccount {
  readonly gameId: string;
  readonly userId: string;
  readonly kept: AccountData;
}

/** A store whose accounts can be listed and removed. */
export interface ListedStore extends Store {
  /**
   * All accounts, in any order. One that is written meanwhile may be the old or the new one. `onDamaged` is called for
   * entries that are not accounts.
   */
  all(onDamaged: (message: string) => void): AsyncIterable<StoredAccount>;
  /** Does nothing if nothing is stored. */
  remove(gameId: string, userId: string): Promise<void>;
}

/** More than any game saves per player; a larger one was not written by us. */
export const accountBytesMax = 8 * 1024 * 1024;

/** The latest time of a `Date`. */
const timeMsMax = 8.64e15;

/** Whether a value of a file or a database is an account. */
export function isStoredAccount(value: unknown): value is StoredAccount {
  if (!isObject(value)) return false;
  const { gameId, userId, kept } = value as Partial<StoredAccount>;
  if (typeof gameId !== 'string' || typeof userId !== 'string') return false;
  if (!isObject(kept) || Array.isArray(kept)) return false;
  const { highscore = 0, savedAtMs = 0 } = kept;
  return Number.isFinite(highscore) && Number.isFinite(savedAtMs) && Math.abs(savedAtMs) <= timeMsMax;
}

/** Stores data in memory only: for tests, and for hosts that do not persist anything. */
export class MemoryStore implements ListedStore {
  private readonly texts = new Map<string, string>();

  async load(gameId: string, userId: string): Promise<AccountData | undefined> {
    const text = this.texts.get(JSON.stringify([gameId, userId]));
    return text === undefined ? undefined : (JSON.parse(text) as AccountData);
  }

  async save(gameId: string, userId: string, kept: AccountData): Promise<void> {
    this.texts.set(JSON.stringify([gameId, userId]), JSON.stringify(kept));
  }

  async *all(): AsyncGenerator<StoredAccount> {
    for (const [key, text] of this.texts) {
      const [gameId, userId] = JSON.parse(key) as [string, string];
      yield { gameId, userId, kept: JSON.parse(text) as AccountData };
    }
  }

  async remove(gameId: string, userId: string): Promise<void> {
    this.texts.delete(JSON.stringify([gameId, userId]));
  }
}
