import type { Code } from '../protocol/codes.ts';

/** A connection as the transport has it. */
export interface Socket {
  /** Whence it comes; what limits by address go by. */
  readonly address: string;
  /** The only room that it leads to, where it does not lead to all. */
  readonly onlyRoom?: string | undefined;
  /** Bytes that were handed over and are not sent yet. */
  readonly backlogBytes: number;
  send(bytes: Uint8Array): void;
  /** Sends what is left and closes; nothing is received any more. */
  end(code: Code): void;
  /** Closes at once, without a reason: the other side shall come again. */
  drop(): void;
}
