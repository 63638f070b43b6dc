import type { Code } from '../protocol/codes.ts';

/** A connection of the transport. */
export interface Socket {
  /** The client's IP address, for limits per address. */
  readonly address: string;
  /** The only room that this connection may join; undefined for all. */
  readonly onlyRoom?: string | undefined;
  /** Bytes that are queued for sending. */
  readonly backlogBytes: number;
  send(bytes: Uint8Array): void;
  /** Sends what is queued, then closes. Nothing is received any more. */
  end(code: Code): void;
  /** Closes immediately, without a reason, so that the client reconnects. */
  drop(): void;
}
