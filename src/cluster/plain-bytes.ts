/** The bytes of a buffer as plain `Uint8Array`, which can be sent to a thread. Shares its memory. */
export function plainBytes({ buffer, byteOffset, byteLength }: Buffer): Uint8Array {
  return new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);
}
