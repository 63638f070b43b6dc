/** The part of a WebSocket that a client uses. The browser's own has it, Node's from version 22 on, and that of the package `ws`. */
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

/** The host's own; undefined where it has none. */
export function hostSocket(): ClientSocketClass | undefined {
  return (globalThis as { readonly WebSocket?: ClientSocketClass }).WebSocket;
}

/** The bytes of a message; undefined for a text, which no server of this protocol sends. */
export function bytesOf(event: { readonly data?: unknown }): Uint8Array | undefined {
  const { data } = event;
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  return ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : undefined;
}
