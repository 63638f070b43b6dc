import type { Duplex } from 'node:stream';

/** The part of a stream that batches writes. */
export type Corkable = Pick<Duplex, 'cork' | 'uncork'>;

/**
 * Writes the messages of one turn of the event loop together, so that the frame of a tick, its events and its results
 * cost one system call instead of three.
 */
export class TurnCork {
  private isCorked = false;

  /** Without a stream, each message is written separately. */
  constructor(private readonly stream: Corkable | undefined) {}

  cork() {
    const { stream } = this;
    if (stream === undefined || this.isCorked) return;
    this.isCorked = true;
    stream.cork();
    queueMicrotask(() => this.uncork());
  }

  uncork() {
    if (!this.isCorked) return;
    this.isCorked = false;
    this.stream?.uncork();
  }
}
