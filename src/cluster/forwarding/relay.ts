/** What a client sends when it opens a connection. */
export interface Opening {
  /** The path and query of the request. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The WebSocket subprotocols that it offers. */
  readonly offered: readonly string[];
  readonly userAgent: string;
}

/** A connection of a client, as far as another process needs it. */
export interface ForwardableSocket {
  /** The client's IP address, for limits per address. */
  readonly address: string;
  /** The only room that this connection may join; undefined for all. */
  readonly onlyRoom?: string | undefined;
  /**
   * How the client opened the connection. Undefined for transports whose connections cannot be continued to another
   * process.
   */
  readonly opening?: Opening | undefined;
  /** Whether another process of the cluster has continued the connection to this one. */
  readonly isForwarded?: boolean;
  /** Bytes that are queued for sending. */
  readonly backlogBytes: number;
  send(bytes: Uint8Array): void;
}

/** The connection of a client, continued to the process that plays its room. */
export interface Relay {
  /** Bytes that are queued for sending. */
  readonly backlogBytes: number;
  send(bytes: Uint8Array): void;
  /** With the client's close code; undefined drops the connection, as if it had been lost. */
  close(closeCode?: number): void;
}

interface RelayRequest {
  /** Where other processes reach the process: `ws://HOST:PORT`. */
  readonly inside: string;
  /** The client's IP address. */
  readonly address: string;
  readonly opening: Opening;
  /** Whether the protocol sends text. */
  readonly isText: boolean;
}

interface RelayListener {
  received(bytes: Uint8Array): void;
  /** Called once, unless the relay was closed here: the other process closed the connection, or it was lost (1006). */
  closed(closeCode: number): void;
}

export type OpenRelay = (request: RelayRequest, listener: RelayListener) => Relay;
