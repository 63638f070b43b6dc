import { createHash } from 'node:crypto';
import { isObject } from '../../engine/core/index.ts';
import { thisMachine } from '../machine/index.ts';
import { FileRecordStore, jsonOf, jsonRecord, type RecordStore } from './records.ts';
import type { AccountData, Store } from './store.ts';

export interface StoredAccount {
  readonly gameId: string;
  readonly userId: string;
  readonly kept: AccountData;
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

/**
 * Stores the data of each account in a record. The id of the record is a digest, because ids of accounts and games may
 * have any length and contain any characters; the record contains both ids.
 */
export class AccountStore implements Store {
  constructor(private readonly records: RecordStore) {}

  async load(gameId: string, userId: string): Promise<AccountData | undefined> {
    const id = idOf(gameId, userId);
    const bytes = await this.records.get('players', id);
    if (bytes === undefined) return undefined;
    const account = accountIn(bytes);
    // Error messages appear in logs, so they name the record, but neither the account nor its data.
    if (account === undefined) throw new Error(`players/${id} is damaged.`);
    if (account.userId !== userId || account.gameId !== gameId)
      throw new Error(`players/${id} contains the data of another account.`);
    return account.kept;
  }

  async save(gameId: string, userId: string, kept: AccountData): Promise<void> {
    const account: StoredAccount = { gameId, userId, kept };
    await this.records.put('players', idOf(gameId, userId), jsonRecord(account), Infinity);
  }

  /** All accounts, in any order. `onDamaged` is called for each record that is not a valid account. */
  async *all(onDamaged: (message: string) => void): AsyncGenerator<StoredAccount> {
    for await (const [id, bytes] of this.records.list('players')) {
      const account = accountIn(bytes);
      if (account !== undefined && idOf(account.gameId, account.userId) === id) yield account;
      else onDamaged(`players/${id} is damaged, or contains the data of another account.`);
    }
  }

  /** Removes the data of an account; does nothing if there is none. */
  async remove(gameId: string, userId: string): Promise<void> {
    await this.records.remove('players', idOf(gameId, userId));
  }

  async close(): Promise<void> {
    await this.records.close();
  }
}

/** The accounts in the files of a folder. */
export function accountsIn(folder: string): AccountStore {
  return new AccountStore(new FileRecordStore(folder, thisMachine));
}

function accountIn(bytes: Uint8Array): StoredAccount | undefined {
  const content = bytes.length <= accountBytesMax ? jsonOf(bytes) : undefined;
  return isStoredAccount(content) ? content : undefined;
}

function idOf(gameId: string, userId: string) {
  return createHash('sha256')
    .update(JSON.stringify([gameId, userId]))
    .digest('hex');
}
