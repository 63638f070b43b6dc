/** The data of one account from one game to the next: plain data, as the simulation's `persistence` events give it. */
export interface Kept {
  readonly player?: unknown;
  readonly unit?: unknown;
  readonly highscore?: number;
  /** When the newest part was saved, ms since 1970, where the host says so. */
  readonly savedAtMs?: number;
}

/**
 * Where a host keeps players. Accounts and games are named by any text. A store is asked for one account at a time and never for one that is
 * being written: `PersistenceService` sees to that.
 */
export interface Store {
  /** Undefined for an account of which nothing is kept. */
  load(gameId: string, userId: string): Promise<Kept | undefined>;
  /** In place of what was kept. */
  save(gameId: string, userId: string, kept: Kept): Promise<void>;
}

/** Keeps players as long as the process lives: for tests, and for hosts that keep nothing. */
export class MemoryStore implements Store {
  private readonly texts = new Map<string, string>();

  async load(gameId: string, userId: string): Promise<Kept | undefined> {
    const text = this.texts.get(JSON.stringify([gameId, userId]));
    return text === undefined ? undefined : (JSON.parse(text) as Kept);
  }

  async save(gameId: string, userId: string, kept: Kept): Promise<void> {
    this.texts.set(JSON.stringify([gameId, userId]), JSON.stringify(kept));
  }
}
