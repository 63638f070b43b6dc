/** A connection of the transport. */
import type { Opening } from '../../cluster/index.ts';
import type { Code } from '../../net/index.ts';
export interface Socket {
  /** The client's IP address, for limits per address. */
  readonly address: string;
  /** The only room that this connection may join; undefined for all. */
  readonly onlyRoom?: string | undefined;
  /** How the client opened the connection. Undefined for transports whose connections cannot be continued to another process. */
  readonly opening?: Opening | undefined;
  /** Whether another process of the cluster has continued the connection to this one. */
  readonly isForwarded?: boolean;
  /** Bytes that are queued for sending. */
  readonly backlogBytes: number;
  send(bytes: Uint8Array): void;
  /** Asks the client for an answer, after which it has received all that was sent before (`Hub.answered`). Not all transports can. */
  ask?(): void;
  /** Sends what is queued, then closes. Nothing is received any more. */
  end(code: Code): void;
  /** Closes immediately, without a reason, so that the client reconnects. */
  drop(): void;
}
