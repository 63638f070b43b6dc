import { defined } from '../../engine/core/index.ts';
import type { OutputEvent } from '../../engine/index.ts';
import type { AccountData, Store } from './store.ts';

/** The saved data of a joining player. These are members of the input `join`. */
export interface SavedJoinData {
  readonly persisted?: AccountData;
  readonly account?: { readonly highscore: number };
}

interface AccountPersistenceOptions {
  /** Called with each error of the store. */
  readonly onError: (error: unknown) => void;
  /**
   * Waits before a failed write is retried. `attempt` counts the failures, from 1. Without this function, a failed
   * write is not retried.
   */
  readonly beforeRetry?: ((attempt: number) => Promise<void>) | undefined;
}

/** A save that has not been written yet. */
interface PendingSave {
  readonly parts: AccountData;
  readonly atMs: number | undefined;
  readonly isReplayed: boolean;
}

/** The account and the data that an output event saves; undefined unless it is a `persistence` event of an account. */
export function saveOf(event: OutputEvent): { readonly userId: string; readonly parts: AccountData } | undefined {
  if (event.kind !== 'persistence') return undefined;
  const { userId, op, data, highscore } = event;
  if (userId === undefined) return undefined;
  const parts = op === 'save' ? (data as AccountData) : highscore === undefined ? undefined : { highscore };
  return parts && { userId, parts };
}

/** Converts the data of an account to the form in which the account joins a game. */
export function joinDataOf({ savedAtMs: _, ...kept }: AccountData): SavedJoinData {
  return { persisted: kept, ...(kept.highscore !== undefined && { account: { highscore: kept.highscore } }) };
}

/**
 * The maximum number of accounts whose data stays in memory, not counting accounts that are being written. The oldest
 * are evicted first.
 */
const knownMax = 10_000;

/**
 * Persists the accounts of one game in a store. Saved data can be read immediately, even before it is written. The
 * writes of one account follow one another, and a write is skipped if a newer one has replaced it. Saving the same data
 * twice changes nothing.
 */
export class AccountPersistence {
  /** The data in the store, with all pending saves applied. */
  private readonly known = new Map<string, AccountData>();
  private readonly pending = new Map<string, PendingSave>();
  private readonly writing = new Map<string, Promise<void>>();

  constructor(
    private readonly store: Store,
    private readonly gameId: string,
    private readonly options: AccountPersistenceOptions,
  ) {}

  /**
   * Loads the saved data of an account. Must be called before the account joins. Each call asks the store, because the
   * account may have played in another process that shares the store. Returns false if the store cannot be read: the
   * account cannot join then.
   */
  async fetch(userId: string): Promise<boolean> {
    try {
      await this.store.claim?.(this.gameId, userId);
      const before = this.known.get(userId);
      if (before === undefined || this.writing.has(userId)) await this.knownOf(userId);
      else {
        const kept = (await this.store.load(this.gameId, userId)) ?? {};
        // Data that was saved while the store was being read is newer than what was read.
        const now = this.known.get(userId);
        // The data is moved to the end, so that others who join do not evict it before the account has joined.
        this.known.delete(userId);
        this.known.set(userId, now === undefined || now === before ? kept : now);
      }
      return true;
    } catch (error) {
      this.options.onError(error);
      return false;
    }
  }

  /**
   * The saved data with which an account joins after `fetch`. The data is empty if the account could not be read; the
   * game then saves nothing for the account.
   */
  joinData(userId: string): SavedJoinData {
    const known = this.known.get(userId);
    return known === undefined ? {} : joinDataOf(known);
  }

  /**
   * Handles an output event; only `persistence` events matter. `isReplayed` marks an event that may arrive again after
   * newer ones, and `atMs` is when it first happened, in ms since 1970. A replayed event is skipped if the store has
   * newer data. Any other event counts as the newest, even if the clock of the machine was set back.
   */
  receive(event: OutputEvent, atMs?: number, isReplayed = false) {
    const save = saveOf(event);
    if (save !== undefined) this.put(save.userId, { ...save, atMs, isReplayed });
  }

  /** Resolves when every pending save has been written or given up. */
  async settled(): Promise<void> {
    while (this.writing.size > 0) await Promise.all(this.writing.values());
  }

  private put(userId: string, save: PendingSave) {
    const known = this.known.get(userId);
    if (known !== undefined) {
      if (isSuperseded(save, known)) return;
      // Data that the event does not contain stays unchanged.
      this.known.set(userId, mergedWith(known, save));
    }
    this.pending.set(userId, { ...save, parts: { ...this.pending.get(userId)?.parts, ...save.parts } });
    if (!this.writing.has(userId)) this.writing.set(userId, this.write(userId));
  }

  private async write(userId: string) {
    // The write starts after the tick, so that several saves of one tick become one write.
    await Promise.resolve();
    for (let attempt = 1; ; attempt++) {
      const due = this.pending.get(userId);
      if (due === undefined) break;
      try {
        await this.knownOf(userId);
        // `knownOf` has dropped the pending save, because the store already had newer data.
        if (!this.pending.delete(userId)) break;
        await this.store.save(this.gameId, userId, this.known.get(userId)!);
        attempt = 0;
      } catch (error) {
        this.options.onError(error);
        if (this.options.beforeRetry === undefined) {
          if (this.pending.get(userId) === due) this.pending.delete(userId);
          continue;
        }
        if (!this.pending.has(userId)) this.pending.set(userId, due);
        await this.options.beforeRetry(attempt);
      }
    }
    this.writing.delete(userId);
  }

  /** Loads the data of an account if it is not in memory yet. All pending saves are applied to the result. */
  private async knownOf(userId: string): Promise<AccountData> {
    const known = this.known.get(userId);
    if (known !== undefined) return known;
    const stored = (await this.store.load(this.gameId, userId)) ?? {};
    const isKnown = this.known.get(userId);
    if (isKnown !== undefined) return isKnown;
    const save = this.pending.get(userId);
    const isNews = save !== undefined && !isSuperseded(save, stored);
    if (!isNews) this.pending.delete(userId);
    const whole = isNews ? mergedWith(stored, save) : stored;
    this.known.set(userId, whole);
    this.forgetOldest();
    return whole;
  }

  private forgetOldest() {
    if (this.known.size <= knownMax) return;
    for (const userId of this.known.keys()) {
      if (this.writing.has(userId)) continue;
      this.known.delete(userId);
      return;
    }
  }
}

/** Whether the store already has newer data. */
function isSuperseded({ atMs, isReplayed }: PendingSave, { savedAtMs }: AccountData) {
  return isReplayed && atMs !== undefined && savedAtMs !== undefined && atMs < savedAtMs;
}

/**
 * The data of an account after a save. The timestamp never decreases, because otherwise a replayed save would be taken
 * for a newer one. The best score never decreases either, because a game that could not read it may save a lower one.
 */
export function mergedWith(
  known: AccountData,
  { parts, atMs }: { readonly parts: AccountData; readonly atMs?: number | undefined },
): AccountData {
  const savedAtMs = atMs === undefined ? undefined : Math.max(atMs, known.savedAtMs ?? atMs);
  const best = Math.max(known.highscore ?? -Infinity, parts.highscore ?? -Infinity);
  return { ...known, ...parts, ...defined({ savedAtMs, highscore: Number.isFinite(best) ? best : undefined }) };
}
