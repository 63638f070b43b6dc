/**
 * The part of `WebSocket` that a client uses. The classes of browsers, of Node from version 22, and of the package `ws`
 * match it.
 */
export interface ClientSocket {
  binaryType: string;
  onopen: ((event: never) => void) | null;
  onmessage: ((event: never) => void) | null;
  onclose: ((event: never) => void) | null;
  onerror: ((event: never) => void) | null;
  send(bytes: Uint8Array<ArrayBuffer>): void;
  close(code?: number, reason?: string): void;
}

export type ClientSocketClass = new (url: string, protocols?: string | string[]) => ClientSocket;

/** The host's `WebSocket`; undefined if it has none. */
export function hostSocket(): ClientSocketClass | undefined {
  return (globalThis as { readonly WebSocket?: ClientSocketClass }).WebSocket;
}

/** The bytes of a message; undefined for a text message, which servers of this protocol never send. */
export function bytesOf(event: { readonly data?: unknown }): Uint8Array | undefined {
  const { data } = event;
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  return ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : undefined;
}
