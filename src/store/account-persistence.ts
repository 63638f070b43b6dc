import type { OutputEvent } from '../../engine/index.ts';
import type { Kept, Store } from './store.ts';

/** The data that a join request brings along from earlier games: members of the input `join`. */
export interface Belongings {
  readonly persisted?: Kept;
  readonly account?: { readonly highscore: number };
}

export interface AccountPersistenceOptions {
  /** Called with each error of the store. */
  readonly onError: (error: unknown) => void;
  /** Waits before a failed write is tried again; without it, a write is tried once. `attempt` counts from 1. */
  readonly beforeRetry?: ((attempt: number) => Promise<void>) | undefined;
}

/** The data of an account that is still to be written: the parts that were saved, and when the last of them was. */
interface Unwritten {
  readonly parts: Kept;
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
  private readonly unwritten = new Map<string, Unwritten>();
  private readonly writing = new Map<string, Promise<void>>();

  constructor(store: Store, gameId: string, options: AccountPersistenceOptions) {
    this.store = store;
    this.gameId = gameId;
    this.options = options;
  }

  /**
   * To be called before an account joins. Where the store cannot be read, that is an error, and the account comes with the data that is known. The
   * store is asked each time: the account may have played in another process, which shares the store.
   */
  async fetch(userId: string): Promise<void> {
    try {
      const before = this.known.get(userId);
      if (before === undefined || this.writing.has(userId)) {
        await this.knownOf(userId);
        return;
      }
      const kept = (await this.store.load(this.gameId, userId)) ?? {};
      // A save that came meanwhile is newer.
      if (this.known.get(userId) === before) this.known.set(userId, kept);
    } catch (error) {
      this.options.onError(error);
    }
  }

  /** The data that a fetched account brings along. */
  belongings(userId: string): Belongings {
    const known = this.known.get(userId);
    if (known === undefined) return {};
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
    const { userId, op, data, highscore } = event as OutputEvent & {
      readonly userId?: unknown;
      readonly op?: unknown;
      readonly data?: Kept;
      readonly highscore?: unknown;
    };
    if (typeof userId !== 'string') return;
    const parts =
      op === 'save' ? data : op === 'highscore' && typeof highscore === 'number' ? { highscore } : undefined;
    if (parts !== undefined) this.put(userId, { parts, atMs, comesAgain });
  }

  /** Everything is written, or given up. */
  async settled(): Promise<void> {
    while (this.writing.size > 0) await Promise.all(this.writing.values());
  }

  private put(userId: string, next: Unwritten): void {
    const known = this.known.get(userId);
    if (known !== undefined) {
      if (isPassed(next, known)) return;
      // A part that was not saved now is what it was.
      this.known.set(userId, mergedWith(known, next));
    }
    this.unwritten.set(userId, { ...next, parts: { ...this.unwritten.get(userId)?.parts, ...next.parts } });
    if (!this.writing.has(userId)) this.writing.set(userId, this.write(userId));
  }

  private async write(userId: string): Promise<void> {
    // After the tick, so that several saves of one tick are one write.
    await Promise.resolve();
    for (let attempt = 1; ; attempt++) {
      const next = this.unwritten.get(userId);
      if (next === undefined) break;
      this.unwritten.delete(userId);
      try {
        const kept = await this.merged(userId, next);
        if (kept !== undefined) await this.store.save(this.gameId, userId, kept);
        attempt = 0;
      } catch (error) {
        this.options.onError(error);
        if (this.options.beforeRetry === undefined) continue;
        // Data that was saved meanwhile is newer.
        const newer = this.unwritten.get(userId);
        this.unwritten.set(userId, newer === undefined ? next : { ...newer, parts: { ...next.parts, ...newer.parts } });
        await this.options.beforeRetry(attempt);
      }
    }
    this.writing.delete(userId);
  }

  /** The whole of what is to be kept; undefined where the store has something newer. */
  private async merged(userId: string, next: Unwritten): Promise<Kept | undefined> {
    const isKnown = this.known.has(userId);
    const known = await this.knownOf(userId);
    if (isKnown) return known;
    if (isPassed(next, known)) return undefined;
    const kept = mergedWith(known, next);
    this.known.set(userId, kept);
    return kept;
  }

  private async knownOf(userId: string): Promise<Kept> {
    const known = this.known.get(userId);
    if (known !== undefined) return known;
    const kept = (await this.store.load(this.gameId, userId)) ?? {};
    // A save that came meanwhile is newer.
    const newer = this.unwritten.get(userId);
    const whole = newer === undefined || isPassed(newer, kept) ? kept : mergedWith(kept, newer);
    this.known.set(userId, whole);
    this.forgetSome();
    return whole;
  }

  private forgetSome(): void {
    if (this.known.size <= knownMax) return;
    for (const userId of this.known.keys()) {
      if (this.writing.has(userId)) continue;
      this.known.delete(userId);
      return;
    }
  }
}

/** Whether the store has what came after it. */
function isPassed({ atMs, comesAgain }: Unwritten, { savedAtMs }: Kept): boolean {
  return comesAgain && atMs !== undefined && savedAtMs !== undefined && atMs < savedAtMs;
}

/** The stamp never goes back, or a save that comes again would be taken for newer. */
function mergedWith(known: Kept, { parts, atMs }: Unwritten): Kept {
  const savedAtMs = atMs === undefined ? undefined : Math.max(atMs, known.savedAtMs ?? atMs);
  return { ...known, ...parts, ...(savedAtMs === undefined ? {} : { savedAtMs }) };
}
