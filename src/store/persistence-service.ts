import type { OutputEvent, Simulation } from '../../engine/index.ts';
import type { Kept, Store } from './store.ts';

/** What a request brings along of earlier games: members of the input `join`. */
export interface Belongings {
  readonly persisted?: Kept;
  readonly account?: { readonly highscore: number };
}

/**
 * Stands between a simulation and a store: what the game says is to be kept of a player goes into the store, and what a player brings along
 * comes out of it. What was saved in this game is known at once, also while it is still being written; writes of one account come one
 * after the other, the latest last, and none that a later one has overtaken.
 */
export class PersistenceService {
  private readonly store: Store;
  private readonly gameId: string;
  private readonly known = new Map<string, Kept>();
  private readonly unwritten = new Set<string>();
  private readonly writing = new Map<string, Promise<void>>();
  /** What the store refused, oldest first: the game plays on without it. */
  readonly errors: unknown[] = [];

  /** Games are told apart by the id of their definition. */
  constructor(sim: Simulation, store: Store) {
    this.store = store;
    this.gameId = sim.definition.defaultData._id ?? '';
    sim.on('output', (event) => this.hear(event));
  }

  /** To be called before an account joins; what the store cannot read is an error, and the account comes with nothing. */
  async fetch(userId: string): Promise<void> {
    if (this.known.has(userId)) return;
    try {
      const kept = await this.store.load(this.gameId, userId);
      // A save that came meanwhile is newer.
      if (!this.known.has(userId)) this.known.set(userId, kept ?? {});
    } catch (error) {
      this.errors.push(error);
    }
  }

  /** What a fetched account brings along. */
  belongings(userId: string): Belongings {
    const kept = this.known.get(userId);
    if (kept === undefined) return {};
    const { highscore } = kept;
    return { persisted: kept, ...(highscore === undefined ? {} : { account: { highscore } }) };
  }

  /** Everything is written. */
  async settled(): Promise<void> {
    while (this.writing.size > 0) await Promise.all(this.writing.values());
  }

  private hear(event: OutputEvent): void {
    if (event.kind !== 'persistence') return;
    const { userId, op, data, highscore } = event as OutputEvent & {
      readonly userId?: unknown;
      readonly op?: unknown;
      readonly data?: Kept;
      readonly highscore?: unknown;
    };
    if (typeof userId !== 'string') return;
    const before = this.known.get(userId) ?? {};
    // A part that was not saved now is what it was.
    if (op === 'save' && data !== undefined) this.known.set(userId, { ...before, ...data });
    else if (op === 'highscore' && typeof highscore === 'number') this.known.set(userId, { ...before, highscore });
    else return;
    this.unwritten.add(userId);
    if (!this.writing.has(userId)) this.writing.set(userId, this.write(userId));
  }

  private async write(userId: string): Promise<void> {
    // After the tick, so that several saves of one tick are one write.
    await Promise.resolve();
    while (this.unwritten.delete(userId)) {
      try {
        await this.store.save(this.gameId, userId, this.known.get(userId)!);
      } catch (error) {
        this.errors.push(error);
      }
    }
    this.writing.delete(userId);
  }
}
