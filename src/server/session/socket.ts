import type { ForwardableSocket } from '../../cluster/index.ts';
import type { Code } from '../../net/index.ts';

/** A connection of the transport. */
export interface Socket extends ForwardableSocket {
  /**
   * Asks the client for an answer, after which it has received all that was sent before (`Hub.answered`). Not all
   * transports can.
   */
  ask?(): void;
  /** Sends what is queued, then closes. Nothing is received any more. */
  end(code: Code): void;
  /** Closes immediately, without a reason, so that the client reconnects. */
  drop(): void;
}
