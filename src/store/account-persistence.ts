import { defined } from '../../engine/core/index.ts';
import type { OutputEvent } from '../../engine/index.ts';
import { mergeSaved } from '../../engine/tools.ts';
import type { AccountData, Store } from './store.ts';

/** Saved data that a joining player brings along: members of the input `join`. */
export interface SavedJoinData {
  readonly persisted?: AccountData;
  readonly account?: { readonly highscore: number };
  /**
   * The store could not be read. The data arrives later by the input `savedData`, or is merged with what the player
   * leaves.
   */
  readonly isDataLate?: true;
}

interface AccountPersistenceOptions {
  /** Called with each error of the store. */
  readonly onError: (error: unknown) => void;
  /** Waits before retrying a failed write; without it, writes are not retried. `attempt` counts from 1. */
  readonly beforeRetry?: ((attempt: number) => Promise<void>) | undefined;
}

/** A save that has not been written yet. */
interface PendingSave {
  readonly parts: AccountData;
  /**
   * The data that the player started from, if the store may hold different data: the save is then merged
   * (`mergeSaved`).
   */
  readonly since: AccountData | undefined;
  readonly atMs: number | undefined;
  readonly isReplayed: boolean;
}

/** What an output event saves, if it is a `persistence` event with an account. */
export function saveOf(
  event: OutputEvent,
): { readonly userId: string; readonly parts: AccountData; readonly since: AccountData | undefined } | undefined {
  if (event.kind !== 'persistence') return undefined;
  const { userId, op, data, highscore, since } = event as OutputEvent & {
    readonly userId?: unknown;
    readonly op?: unknown;
    readonly data?: AccountData;
    readonly highscore?: unknown;
    readonly since?: AccountData;
  };
  if (typeof userId !== 'string') return undefined;
  const parts = op === 'save' ? data : op === 'highscore' && typeof highscore === 'number' ? { highscore } : undefined;
  return parts && { userId, parts, since };
}

/** What an account with this data joins with. */
export function joinDataOf({ savedAtMs: _, ...kept }: AccountData): SavedJoinData {
  return { persisted: kept, ...(kept.highscore === undefined ? {} : { account: { highscore: kept.highscore } }) };
}

/** The number of accounts without a player in the game whose data stays in memory. */
const knownMax = 10_000;

/**
 * Persists the accounts of one game in a store. Saved data is visible at once, even before it is written. Writes of one
 * account are sequential, and a write that a newer one has overtaken is skipped. Saving the same data twice is
 * idempotent.
 */
export class AccountPersistence {
  private readonly store: Store;
  private readonly gameId: string;
  private readonly options: AccountPersistenceOptions;
  /** The data in the store, with all pending saves applied. */
  private readonly known = new Map<string, AccountData>();
  /**
   * The data of accounts that joined while the store could not be read, with their saves since then. Another process
   * may have saved newer data.
   */
  private readonly unverified = new Map<string, AccountData>();
  /** Oldest first. */
  private readonly pending = new Map<string, readonly PendingSave[]>();
  private readonly writing = new Map<string, Promise<void>>();

  constructor(store: Store, gameId: string, options: AccountPersistenceOptions) {
    this.store = store;
    this.gameId = gameId;
    this.options = options;
  }

  /**
   * Call this before an account joins. It asks the store every time, because the account may have played in another
   * process that shares the store. Returns false if the store cannot be read: the account then joins with the data that
   * is known, or without data (`isDataLate`).
   */
  async fetch(userId: string): Promise<boolean> {
    try {
      const before = this.known.get(userId);
      if (before === undefined || this.writing.has(userId)) await this.knownOf(userId);
      else {
        const kept = (await this.store.load(this.gameId, userId)) ?? {};
        // A save that arrived in the meantime is newer.
        if (this.known.get(userId) === before) this.known.set(userId, kept);
      }
      this.unverified.delete(userId);
      return true;
    } catch (error) {
      this.distrust(userId);
      this.options.onError(error);
      return false;
    }
  }

  /** The saved data that a fetched account joins with. */
  joinData(userId: string): SavedJoinData {
    const known = this.known.get(userId) ?? this.unverified.get(userId);
    if (known === undefined) return { isDataLate: true };
    return joinDataOf(known);
  }

  /**
   * Handles an output event; only `persistence` events matter. `isReplayed` marks an event that may arrive again after
   * newer ones, and `atMs` is when it first happened, in ms since 1970. A replayed event is skipped if the store has
   * newer data. Any other event counts as the newest, even if the clock of the machine was set back.
   */
  receive(event: OutputEvent, atMs?: number, isReplayed = false): void {
    const save = saveOf(event);
    if (save !== undefined) this.put(save.userId, { ...save, atMs, isReplayed });
  }

  /** Resolves when every save is written or given up. */
  async settled(): Promise<void> {
    while (this.writing.size > 0) await Promise.all(this.writing.values());
  }

  /**
   * Marks cached data of an account as possibly outdated. With writes pending it stays trusted, because it is the
   * newest.
   */
  private distrust(userId: string): void {
    const known = this.known.get(userId);
    if (known === undefined || this.writing.has(userId)) return;
    this.known.delete(userId);
    this.unverified.set(userId, known);
    forgetOldest(this.unverified);
  }

  private put(userId: string, given: PendingSave): void {
    const trusted = this.unverified.get(userId);
    const next = given.since === undefined && trusted !== undefined ? { ...given, since: trusted } : given;
    if (trusted !== undefined) this.unverified.set(userId, { ...trusted, ...given.parts });
    const known = this.known.get(userId);
    if (known !== undefined) {
      if (isSuperseded(next, known)) return;
      // Parts that this event does not save stay unchanged.
      this.known.set(userId, mergedWith(known, next));
    }
    this.pending.set(userId, withNext(this.pending.get(userId) ?? [], next));
    if (!this.writing.has(userId)) this.writing.set(userId, this.write(userId));
  }

  private async write(userId: string): Promise<void> {
    // Deferred until after the tick, so that several saves of one tick become one write.
    await Promise.resolve();
    for (let attempt = 1; ; attempt++) {
      const due = this.pending.get(userId);
      if (due === undefined) break;
      try {
        await this.knownOf(userId);
        // The store already had newer data.
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

  /** Includes all pending saves. */
  private async knownOf(userId: string): Promise<AccountData> {
    const known = this.known.get(userId);
    if (known !== undefined) return known;
    const stored = (await this.store.load(this.gameId, userId)) ?? {};
    const isKnown = this.known.get(userId);
    if (isKnown !== undefined) return isKnown;
    const news = (this.pending.get(userId) ?? []).filter((each) => !isSuperseded(each, stored));
    if (news.length === 0) this.pending.delete(userId);
    const whole = news.reduce(mergedWith, stored);
    this.known.set(userId, whole);
    forgetOldest(this.known, (other) => this.writing.has(other));
    return whole;
  }
}

function forgetOldest(accounts: Map<string, unknown>, isNeeded: (userId: string) => boolean = () => false): void {
  if (accounts.size <= knownMax) return;
  for (const userId of accounts.keys()) {
    if (isNeeded(userId)) continue;
    accounts.delete(userId);
    return;
  }
}

/** Saves without `since` are combined: the newest value of each part wins. Saves that need a merge stay separate. */
function withNext(list: readonly PendingSave[], next: PendingSave): readonly PendingSave[] {
  const last = list.at(-1);
  if (last === undefined || last.since !== undefined || next.since !== undefined) return [...list, next];
  return [...list.slice(0, -1), { ...next, parts: { ...last.parts, ...next.parts } }];
}

/** Whether the store already has newer data or, for a save that must not be merged twice, this save itself. */
function isSuperseded({ parts, since, atMs, isReplayed }: PendingSave, { savedAtMs }: AccountData): boolean {
  if (!isReplayed || atMs === undefined || savedAtMs === undefined) return false;
  if (since === undefined) return atMs < savedAtMs;
  return !isScore(parts) && atMs <= savedAtMs;
}

function isScore({ player, unit }: AccountData): boolean {
  return player === undefined && unit === undefined;
}

/**
 * The data of an account after a save. The timestamp never decreases, or a replayed save would be taken for a newer
 * one.
 */
export function mergedWith(
  known: AccountData,
  { parts, since, atMs }: Pick<PendingSave, 'parts' | 'since'> & { readonly atMs?: number | undefined },
): AccountData {
  const best = Math.max(known.highscore ?? Number.NEGATIVE_INFINITY, parts.highscore ?? Number.NEGATIVE_INFINITY);
  const highscore = Number.isFinite(best) ? { highscore: best } : {};
  // Taking the maximum of scores is idempotent, so it needs no timestamp.
  if (since !== undefined && isScore(parts)) return { ...known, ...highscore };
  const merged = since === undefined ? parts : { ...mergeSaved({ data: parts, since }, known), ...highscore };
  const savedAtMs = atMs === undefined ? undefined : Math.max(atMs, known.savedAtMs ?? atMs);
  return { ...known, ...merged, ...defined({ savedAtMs }) };
}
