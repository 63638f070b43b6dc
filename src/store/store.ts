import { isObject } from '../../engine/core/index.ts';
/** The data that one account keeps between sessions, in the form of the simulation's `persistence` events. */
export interface AccountData {
  readonly player?: unknown;
  readonly unit?: unknown;
  readonly highscore?: number;
  /** When the newest part was saved, in ms since 1970; undefined if the host does not provide the time. */
  readonly savedAtMs?: number;
}

/**
 * A place where a host stores the data of accounts. Ids of accounts and games can be any strings. `PersistenceService`
 * guarantees that an account is neither read nor written while it is being written.
 */
export interface Store {
  /** Resolves to undefined if nothing is stored for the account. */
  load(gameId: string, userId: string): Promise<AccountData | undefined>;
  /** Replaces the stored data of the account. */
  save(gameId: string, userId: string, kept: AccountData): Promise<void>;
  /**
   * Called before an account joins. It resolves when the other hosts have written their pending saves of this account.
   * Needed only if a host can crash with saves that no other host can write.
   */
  claim?: ((gameId: string, userId: string) => Promise<void>) | undefined;
}

export interface StoredAccount {
  readonly gameId: string;
  readonly userId: string;
  readonly kept: AccountData;
}

/** A store that can list and remove its accounts. */
export interface ListedStore extends Store {
  /**
   * All accounts, in any order. For an account that is written during the listing, either the old or the new data is
   * returned. `onDamaged` is called for each entry that is not a valid account.
   */
  all(onDamaged: (message: string) => void): AsyncIterable<StoredAccount>;
  /** Removes the data of an account; does nothing if there is none. */
  remove(gameId: string, userId: string): Promise<void>;
}

/**
 * The maximum size of a stored account. No game saves that much per player, so a larger entry was not written by this
 * program.
 */
export const accountBytesMax = 8 * 1024 * 1024;

/** The latest time that a `Date` can represent, in ms since 1970. */
const timeMsMax = 8.64e15;

/** Whether a value from a file or a database has the form of a stored account. */
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
