import type { WriteOutcome } from '../../cluster/index.ts';

/** The maximum number of keys that are remembered, for all rooms together. The oldest are forgotten first. */
const keysMax = 10_000;

interface Pending {
  readonly room: string;
  /** The player; undefined for an input for the whole room. */
  readonly player: string | undefined;
  /** The room and the key, combined; undefined without a key. */
  readonly name: string | undefined;
  readonly resolve: (outcome: WriteOutcome) => void;
  /** The tick in which the input was played, if the journal has lost that tick. */
  lostTick: number | undefined;
}

/**
 * Tracks inputs of the host, such as results of the platform, until they are in the journal. An input with a known key
 * is not played again; its outcome is that of the first input with this key.
 */
export class Results {
  private readonly pending = new Map<number, Pending>();
  private readonly byKey = new Map<string, Promise<WriteOutcome>>();
  private requests = 0;

  /**
   * Adds an input. `send` sends the input to its room, with the number by which `settle` identifies it. For a known
   * key, `send` is not called.
   */
  add(
    room: string,
    player: string | undefined,
    key: string | undefined,
    send: (request: number) => void,
  ): Promise<WriteOutcome> {
    const name = key === undefined ? undefined : JSON.stringify([room, key]);
    const known = name === undefined ? undefined : this.byKey.get(name);
    if (known !== undefined) return known;
    const request = ++this.requests;
    const outcome = new Promise<WriteOutcome>((resolve) =>
      this.pending.set(request, { room, player, name, resolve, lostTick: undefined }),
    );
    if (name !== undefined) this.remember(name, outcome);
    send(request);
    return outcome;
  }

  /**
   * Handles the outcome of writing the tick in which an input was played. If the journal has lost that tick, the
   * outcome of the input stays open, because a later snapshot may still contain the input.
   */
  settle(request: number, outcome: WriteOutcome, tick: number) {
    const pending = this.pending.get(request);
    if (pending === undefined) return;
    if (outcome === 'lost') pending.lostTick = tick;
    else this.resolve(request, pending, outcome);
  }

  /**
   * Handles a snapshot of a room after `tick` that is in the journal: it contains the inputs whose ticks were lost up
   * to then.
   */
  snapshotKept(room: string, tick: number) {
    for (const [request, pending] of this.pending) {
      const { lostTick = Infinity } = pending;
      if (pending.room === room && lostTick <= tick) this.resolve(request, pending, 'kept');
    }
  }

  /** Gives up the pending inputs of a room, or of one of its players. They may be added again. */
  lose(room: string, player?: string) {
    for (const [request, pending] of this.pending) {
      if (pending.room !== room || (player !== undefined && pending.player !== player)) continue;
      if (pending.name !== undefined) this.byKey.delete(pending.name);
      this.resolve(request, pending, 'lost');
    }
  }

  private resolve(request: number, { resolve }: Pending, outcome: WriteOutcome) {
    this.pending.delete(request);
    resolve(outcome);
  }

  private remember(name: string, outcome: Promise<WriteOutcome>) {
    this.byKey.set(name, outcome);
    const [oldest] = this.byKey.keys();
    if (this.byKey.size > keysMax && oldest !== undefined) this.byKey.delete(oldest);
  }
}
