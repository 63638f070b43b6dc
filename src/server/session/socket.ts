import type { ForwardableSocket } from '../../cluster/index.ts';
import type { Code } from '../../net/index.ts';

/** A connection as the session layer sees it, whatever transport it uses. */
export interface Socket extends ForwardableSocket {
  /**
   * Sends a question to the client. The answer proves that the client has received everything sent before
   * (`Hub.answered`). Not all transports support questions.
   */
  ask?(): void;
  /** Sends everything that is queued, then closes. Nothing more is received. */
  end(code: Code): void;
  /** Closes immediately and without a reason, so that the client reconnects. */
  drop(): void;
}
