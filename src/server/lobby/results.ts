import type { Fate } from '../journal/journal.ts';

/** Keys that are remembered, of all rooms together; the oldest go first. */
const keysMax = 10_000;

interface Pending {
  readonly room: string;
  readonly player: string;
  /** Of the key; undefined without one. */
  readonly name: string | undefined;
  readonly resolve: (fate: Fate) => void;
  /** The tick in which it was played, where the journal has lost that. */
  lostTick: number | undefined;
}

/**
 * Results of the platform on their way into the journal. A key names one result: the same result that comes again is not played again, and has
 * the outcome of the first.
 */
export class Results {
  private readonly pending = new Map<number, Pending>();
  private readonly byKey = new Map<string, Promise<Fate>>();
  private requests = 0;

  /** `send` gives the result to its room, under a number for `settle`; it is not called for a key that is known. */
  add(room: string, player: string, key: string | undefined, send: (request: number) => void): Promise<Fate> {
    const name = key === undefined ? undefined : JSON.stringify([room, key]);
    const known = name === undefined ? undefined : this.byKey.get(name);
    if (known !== undefined) return known;
    const request = ++this.requests;
    const fate = new Promise<Fate>((resolve) =>
      this.pending.set(request, { room, player, name, resolve, lostTick: undefined }),
    );
    if (name !== undefined) this.remember(name, fate);
    send(request);
    return fate;
  }

  /** The result was played; `fate` is that of its tick. Where that is lost, a snapshot keeps the result, or the room goes on without it. */
  settle(request: number, fate: Fate, tick: number): void {
    const pending = this.pending.get(request);
    if (pending === undefined) return;
    if (fate === 'lost') pending.lostTick = tick;
    else this.resolve(request, pending, fate);
  }

  /** A snapshot of the room behind that tick is kept. */
  snapshotKept(room: string, tick: number): void {
    for (const [request, pending] of this.pending) {
      const { lostTick = Number.POSITIVE_INFINITY } = pending;
      if (pending.room === room && lostTick <= tick) this.resolve(request, pending, 'kept');
    }
  }

  /** The room goes on without the results on their way to it, or to one player of it, and without those of lost ticks. They may come again. */
  lose(room: string, player?: string): void {
    for (const [request, pending] of this.pending) {
      if (pending.room !== room || (player !== undefined && pending.player !== player)) continue;
      if (pending.name !== undefined) this.byKey.delete(pending.name);
      this.resolve(request, pending, 'lost');
    }
  }

  private resolve(request: number, { resolve }: Pending, fate: Fate): void {
    this.pending.delete(request);
    resolve(fate);
  }

  private remember(name: string, fate: Promise<Fate>): void {
    this.byKey.set(name, fate);
    const [oldest] = this.byKey.keys();
    if (this.byKey.size > keysMax && oldest !== undefined) this.byKey.delete(oldest);
  }
}
