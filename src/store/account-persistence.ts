import type { OutputEvent } from '../../engine/index.ts';
import { mergeSaved } from '../../engine/internal.ts';
import type { Kept, Store } from './store.ts';

/** The data that a join request brings along from earlier games: members of the input `join`. */
export interface Belongings {
  readonly persisted?: Kept;
  readonly account?: { readonly highscore: number };
  /** The store could not be read. The data is brought later by the input `savedData`, or merged with what the player leaves behind. */
  readonly isDataLate?: true;
}

interface AccountPersistenceOptions {
  /** Called with each error of the store. */
  readonly onError: (error: unknown) => void;
  /** Waits before a failed write is tried again; without it, a write is tried once. `attempt` counts from 1. */
  readonly beforeRetry?: ((attempt: number) => Promise<void>) | undefined;
}

/** A save that is still to be written. */
interface Unwritten {
  readonly parts: Kept;
  /** The parts that it started from, where that may be other data than the store has: it is merged with what is there (`mergeSaved`). */
  readonly since: Kept | undefined;
  readonly atMs: number | undefined;
  readonly comesAgain: boolean;
}

/** The most accounts whose data is kept at hand without a player in the game. */
const knownMax = 10_000;

/**
 * Keeps the accounts of one game in a store. Saved data is known at once, also while it is still being written. Writes of one account come
 * one after the other, the latest last; a write that a later one has overtaken is left out. The same save twice is the same as once.
 */
export class AccountPersistence {
  private readonly store: Store;
  private readonly gameId: string;
  private readonly options: AccountPersistenceOptions;
  /** The data in the store, with all that is to be written. */
  private readonly known = new Map<string, Kept>();
  /** The data with which accounts joined while the store could not be read, with what they have saved since. Another process may have saved newer data. */
  private readonly unverified = new Map<string, Kept>();
  /** Oldest first. */
  private readonly unwritten = new Map<string, readonly Unwritten[]>();
  private readonly writing = new Map<string, Promise<void>>();

  constructor(store: Store, gameId: string, options: AccountPersistenceOptions) {
    this.store = store;
    this.gameId = gameId;
    this.options = options;
  }

  /**
   * To be called before an account joins. False where the store cannot be read: the account comes with the data that is known, or without
   * (`isDataLate`). The store is asked each time: the account may have played in another process, which shares the store.
   */
  async fetch(userId: string): Promise<boolean> {
    try {
      const before = this.known.get(userId);
      if (before === undefined || this.writing.has(userId)) await this.knownOf(userId);
      else {
        const kept = (await this.store.load(this.gameId, userId)) ?? {};
        // A save that came meanwhile is newer.
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

  /** The data that a fetched account brings along. */
  belongings(userId: string): Belongings {
    const known = this.known.get(userId) ?? this.unverified.get(userId);
    if (known === undefined) return { isDataLate: true };
    const { savedAtMs: _, ...kept } = known;
    return { persisted: kept, ...(kept.highscore === undefined ? {} : { account: { highscore: kept.highscore } }) };
  }

  /**
   * An output event; only those about saved data matter. `atMs`: when it happened, ms since 1970, where the same event may come again after
   * newer ones. An event that comes again is passed over where the store has newer data. One that happens now is the newest, also where the clock
   * of the machine was set back since the last.
   */
  receive(event: OutputEvent, atMs?: number, comesAgain = false): void {
    if (event.kind !== 'persistence') return;
    const { userId, op, data, highscore, since } = event as OutputEvent & {
      readonly userId?: unknown;
      readonly op?: unknown;
      readonly data?: Kept;
      readonly highscore?: unknown;
      readonly since?: Kept;
    };
    if (typeof userId !== 'string') return;
    const parts =
      op === 'save' ? data : op === 'highscore' && typeof highscore === 'number' ? { highscore } : undefined;
    if (parts !== undefined) this.put(userId, { parts, since, atMs, comesAgain });
  }

  /** Everything is written, or given up. */
  async settled(): Promise<void> {
    while (this.writing.size > 0) await Promise.all(this.writing.values());
  }

  /** What is known of an account may be old by now. Data that is still to be written stays known: it is the newest. */
  private distrust(userId: string): void {
    const known = this.known.get(userId);
    if (known === undefined || this.writing.has(userId)) return;
    this.known.delete(userId);
    this.unverified.set(userId, known);
    forgetOldest(this.unverified);
  }

  private put(userId: string, given: Unwritten): void {
    const trusted = this.unverified.get(userId);
    const next = given.since === undefined && trusted !== undefined ? { ...given, since: trusted } : given;
    if (trusted !== undefined) this.unverified.set(userId, { ...trusted, ...given.parts });
    const known = this.known.get(userId);
    if (known !== undefined) {
      if (isPassed(next, known)) return;
      // A part that was not saved now is what it was.
      this.known.set(userId, mergedWith(known, next));
    }
    this.unwritten.set(userId, withNext(this.unwritten.get(userId) ?? [], next));
    if (!this.writing.has(userId)) this.writing.set(userId, this.write(userId));
  }

  private async write(userId: string): Promise<void> {
    // After the tick, so that several saves of one tick are one write.
    await Promise.resolve();
    for (let attempt = 1; ; attempt++) {
      const due = this.unwritten.get(userId);
      if (due === undefined) break;
      try {
        await this.knownOf(userId);
        // The store had something newer.
        if (!this.unwritten.delete(userId)) break;
        await this.store.save(this.gameId, userId, this.known.get(userId)!);
        attempt = 0;
      } catch (error) {
        this.options.onError(error);
        if (this.options.beforeRetry === undefined) {
          if (this.unwritten.get(userId) === due) this.unwritten.delete(userId);
          continue;
        }
        if (!this.unwritten.has(userId)) this.unwritten.set(userId, due);
        await this.options.beforeRetry(attempt);
      }
    }
    this.writing.delete(userId);
  }

  /** With all that is to be written. */
  private async knownOf(userId: string): Promise<Kept> {
    const known = this.known.get(userId);
    if (known !== undefined) return known;
    const stored = (await this.store.load(this.gameId, userId)) ?? {};
    const isKnown = this.known.get(userId);
    if (isKnown !== undefined) return isKnown;
    const news = (this.unwritten.get(userId) ?? []).filter((each) => !isPassed(each, stored));
    if (news.length === 0) this.unwritten.delete(userId);
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

/** Saves that start from what is known are one: the newest of each part counts. Those that are merged first stay apart. */
function withNext(list: readonly Unwritten[], next: Unwritten): readonly Unwritten[] {
  const last = list.at(-1);
  if (last === undefined || last.since !== undefined || next.since !== undefined) return [...list, next];
  return [...list.slice(0, -1), { ...next, parts: { ...last.parts, ...next.parts } }];
}

/** Whether the store has what came after it, or, for one that must not be merged twice, it. */
function isPassed({ parts, since, atMs, comesAgain }: Unwritten, { savedAtMs }: Kept): boolean {
  if (!comesAgain || atMs === undefined || savedAtMs === undefined) return false;
  if (since === undefined) return atMs < savedAtMs;
  return !isScore(parts) && atMs <= savedAtMs;
}

function isScore({ player, unit }: Kept): boolean {
  return player === undefined && unit === undefined;
}

/** The stamp never goes back, or a save that comes again would be taken for newer. */
function mergedWith(known: Kept, { parts, since, atMs }: Unwritten): Kept {
  const best = Math.max(known.highscore ?? Number.NEGATIVE_INFINITY, parts.highscore ?? Number.NEGATIVE_INFINITY);
  const highscore = Number.isFinite(best) ? { highscore: best } : {};
  // A best score that is compared can be so any number of times.
  if (since !== undefined && isScore(parts)) return { ...known, ...highscore };
  const merged = since === undefined ? parts : { ...mergeSaved({ data: parts, since }, known), ...highscore };
  const savedAtMs = atMs === undefined ? undefined : Math.max(atMs, known.savedAtMs ?? atMs);
  return { ...known, ...merged, ...(savedAtMs === undefined ? {} : { savedAtMs }) };
}
