import type { OutputEvent } from '../../engine/index.ts';
import type { Kept, Store } from './store.ts';

/** The data that a join request brings along from earlier games: members of the input `join`. */
export interface Belongings {
  readonly persisted?: Kept;
  readonly account?: { readonly highscore: number };
}

export interface KeeperOptions {
  /** Called with each error of the store. */
  readonly onError: (error: unknown) => void;
  /** Waits before a failed write is tried again; without it, a write is tried once. `attempt` counts from 1. */
  readonly beforeRetry?: ((attempt: number) => Promise<void>) | undefined;
}

/** The data of an account that is still to be written: the parts that were saved, and when the last of them was. */
interface Unwritten {
  readonly parts: Kept;
  readonly atMs: number | undefined;
}

/** The most accounts whose data is kept at hand without a player in the game. */
const knownMax = 10_000;

/**
 * Keeps the accounts of one game in a store. Saved data is known at once, also while it is still being written. Writes of one account come
 * one after the other, the latest last; a write that a later one has overtaken is left out. The same save twice is the same as once.
 */
export class AccountKeeper {
  private readonly store: Store;
  private readonly gameId: string;
  private readonly options: KeeperOptions;
  /** The data in the store, with all that is to be written. */
  private readonly known = new Map<string, Kept>();
  private readonly unwritten = new Map<string, Unwritten>();
  private readonly writing = new Map<string, Promise<void>>();

  constructor(store: Store, gameId: string, options: KeeperOptions) {
    this.store = store;
    this.gameId = gameId;
    this.options = options;
  }

  /** To be called before an account joins; what the store cannot read is an error, and the account comes with nothing. */
  async fetch(userId: string): Promise<void> {
    if (this.known.has(userId)) return;
    try {
      await this.knownOf(userId);
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
   * newer ones. Data older than the store's is passed over.
   */
  hear(event: OutputEvent, atMs?: number): void {
    if (event.kind !== 'persistence') return;
    const { userId, op, data, highscore } = event as OutputEvent & {
      readonly userId?: unknown;
      readonly op?: unknown;
      readonly data?: Kept;
      readonly highscore?: unknown;
    };
    if (typeof userId !== 'string') return;
    if (op === 'save' && data !== undefined) this.put(userId, data, atMs);
    else if (op === 'highscore' && typeof highscore === 'number') this.put(userId, { highscore }, atMs);
  }

  /** Everything is written, or given up. */
  async settled(): Promise<void> {
    while (this.writing.size > 0) await Promise.all(this.writing.values());
  }

  private put(userId: string, parts: Kept, atMs: number | undefined): void {
    const known = this.known.get(userId);
    if (known !== undefined) {
      if (isOlder(atMs, known)) return;
      // A part that was not saved now is what it was.
      this.known.set(userId, { ...known, ...parts, ...stamp(atMs) });
    }
    this.unwritten.set(userId, { parts: { ...this.unwritten.get(userId)?.parts, ...parts }, atMs });
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
  private async merged(userId: string, { parts, atMs }: Unwritten): Promise<Kept | undefined> {
    const isKnown = this.known.has(userId);
    const known = await this.knownOf(userId);
    if (isKnown) return known;
    if (isOlder(atMs, known)) return undefined;
    const kept = { ...known, ...parts, ...stamp(atMs) };
    this.known.set(userId, kept);
    return kept;
  }

  private async knownOf(userId: string): Promise<Kept> {
    const known = this.known.get(userId);
    if (known !== undefined) return known;
    const kept = (await this.store.load(this.gameId, userId)) ?? {};
    // A save that came meanwhile is newer.
    const newer = this.unwritten.get(userId);
    const whole =
      newer === undefined || isOlder(newer.atMs, kept) ? kept : { ...kept, ...newer.parts, ...stamp(newer.atMs) };
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

function isOlder(atMs: number | undefined, { savedAtMs }: Kept): boolean {
  return atMs !== undefined && savedAtMs !== undefined && atMs < savedAtMs;
}

function stamp(atMs: number | undefined): Pick<Kept, 'savedAtMs'> {
  return atMs === undefined ? {} : { savedAtMs: atMs };
}
