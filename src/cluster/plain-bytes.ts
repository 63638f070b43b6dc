/**
 * The bytes of a buffer as a plain `Uint8Array`, which can be sent to a thread. The result shares the memory of the
 * buffer.
 */
export function plainBytes({ buffer, byteOffset, byteLength }: Buffer): Uint8Array {
  return new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);
}
