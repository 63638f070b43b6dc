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
   * Called before an account joins. Resolves when the other hosts have written their pending saves of this account.
   * Needed only if a host can crash with saves that no other host can write.
   */
  claim?: ((gameId: string, userId: string) => Promise<void>) | undefined;
}
