/** A typed array with the same numbers at its beginning, then zeros. `length` is that of the new one, and not below the old one's. */
export function grown<T extends Float64Array | Int32Array | Uint8Array>(old: T, length: number): T {
  const made = new (old.constructor as new (length: number) => T)(length);
  made.set(old);
  return made;
}
