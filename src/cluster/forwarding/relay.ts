/** The data that a client sends when it opens a connection. */
export interface Opening {
  /** The path and query of the request. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The WebSocket subprotocols that the client offers. */
  readonly offered: readonly string[];
  readonly userAgent: string;
}

/** A client's connection, in the form that another process needs. */
export interface ForwardableSocket {
  /** The client's IP address, for limits per address. */
  readonly address: string;
  /** The only room that this connection may join; undefined for all. */
  readonly onlyRoom?: string | undefined;
  /** The URL at which the client finds another room if `onlyRoom` takes no newcomers; undefined if there is none. */
  readonly lobbyUrl?: string | undefined;
  /**
   * How the client opened the connection. Undefined for transports whose connections cannot be forwarded to another
   * process.
   */
  readonly opening?: Opening | undefined;
  /** Whether another process of the cluster has forwarded the connection to this one. */
  readonly isForwarded?: boolean;
  /** The number of bytes that are queued for sending. */
  readonly backlogBytes: number;
  send(bytes: Uint8Array): void;
}

/** A client's connection that is forwarded to the process that plays its room. */
export interface Relay {
  /** The number of bytes that are queued for sending. */
  readonly backlogBytes: number;
  send(bytes: Uint8Array): void;
  /** Closes with the client's close code. Undefined drops the connection, as if it had been lost. */
  close(closeCode?: number): void;
}

interface RelayRequest {
  /** The URL at which other processes reach the process: `ws://HOST:PORT`. */
  readonly inside: string;
  /** The client's IP address. */
  readonly address: string;
  readonly opening: Opening;
  /** Whether the protocol sends text. */
  readonly isText: boolean;
}

interface RelayListener {
  received(bytes: Uint8Array): void;
  /**
   * Called once when the other process has closed the connection, or the connection was lost (1006). Not called if this
   * side has closed the relay.
   */
  closed(closeCode: number): void;
}

export type OpenRelay = (request: RelayRequest, listener: RelayListener) => Relay;
