import type { Duplex } from 'node:stream';

/** A stream, of the part that batches writes. */
export type Corkable = Pick<Duplex, 'cork' | 'uncork'>;

/**
 * Writes the messages of one turn of the event loop together: the frame of a tick, its events and its results then cost
 * one system call, not three.
 */
export class TurnCork {
  private isCorked = false;

  /** Without a stream, messages are written one by one. */
  constructor(private readonly stream: Corkable | undefined) {}

  cork(): void {
    const { stream } = this;
    if (stream === undefined || this.isCorked) return;
    this.isCorked = true;
    stream.cork();
    queueMicrotask(() => this.uncork());
  }

  uncork(): void {
    if (!this.isCorked) return;
    this.isCorked = false;
    this.stream?.uncork();
  }
}
