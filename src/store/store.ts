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
}

/** Stores data in memory only: for tests, and for hosts that do not persist anything. */
export class MemoryStore implements Store {
  private readonly texts = new Map<string, string>();

  async load(gameId: string, userId: string): Promise<AccountData | undefined> {
    const text = this.texts.get(JSON.stringify([gameId, userId]));
    return text === undefined ? undefined : (JSON.parse(text) as AccountData);
  }

  async save(gameId: string, userId: string, kept: AccountData): Promise<void> {
    this.texts.set(JSON.stringify([gameId, userId]), JSON.stringify(kept));
  }
}
