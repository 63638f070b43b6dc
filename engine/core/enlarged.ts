/** A larger copy of a typed array, padded with zeros. `length` must not be less than the old length. */
export function enlarged<T extends Float64Array | Int32Array | Uint32Array | Uint8Array>(old: T, length: number): T {
  const made = new (old.constructor as new (length: number) => T)(length);
  made.set(old);
  return made;
}
