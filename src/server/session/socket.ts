import type { ForwardableSocket } from '../../cluster/index.ts';
import type { Code } from '../../net/index.ts';

/** A connection of the transport. */
export interface Socket extends ForwardableSocket {
  /**
   * Sends a question to the client. Its answer proves that it has received everything sent before (`Hub.answered`). Not
   * all transports support this.
   */
  ask?(): void;
  /** Sends everything that is queued, then closes. Nothing more is received. */
  end(code: Code): void;
  /** Closes immediately and without a reason, so that the client reconnects. */
  drop(): void;
}
