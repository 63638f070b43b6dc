import { ByteWriter, MalformedBytes } from '../core/bytes.ts';
import type { GraphAdapters } from '../core/graph.ts';
import { GraphCopier } from '../core/graph-copy.ts';
import { StateHasher } from '../core/hash.ts';
import type { FieldType } from './field-type.ts';
import { type Parts, partAdapter } from './parts.ts';
import { StateReader, StateWriter } from './state-bytes.ts';

// Reused by every call, because allocating a buffer of the size of a whole state costs more than writing into it.
const scratch = new ByteWriter();
const assembled = new ByteWriter();
const hasher = new StateHasher();

/**
 * Encodes a value. The result is valid until the next call of `encode` or `hashOf`. Throws `TooManyBytes` if there are
 * more than `bytesMax` bytes. `adapters` handle the classes whose objects can occur in `json` values; they must be the
 * same for `encode` and `decode`.
 */
export function encode<T>(
  kind: FieldType<T>,
  value: T,
  parts: Parts,
  adapters: GraphAdapters,
  bytesMax = Infinity,
): Uint8Array<ArrayBuffer> {
  return written(kind, value, new StateWriter(parts, adapters, scratch, false, bytesMax), bytesMax);
}

/**
 * The hash of the bytes of a value as 16 hexadecimal digits. `outsideHash` fields are left out. `bytesMax`: see
 * `encode`.
 */
export function hashOf<T>(
  kind: FieldType<T>,
  value: T,
  parts: Parts,
  adapters: GraphAdapters,
  bytesMax = Infinity,
): string {
  hasher.reset();
  hasher.bytes(written(kind, value, new StateWriter(parts, adapters, scratch, true, bytesMax), bytesMax));
  return hasher.digest();
}

function written<T>(kind: FieldType<T>, value: T, to: StateWriter, bytesMax: number): Uint8Array<ArrayBuffer> {
  scratch.clear(bytesMax);
  kind.write(value, to);
  assembled.clear(bytesMax);
  return to.whole(assembled);
}

/**
 * Decodes a value. Throws `MalformedBytes` for bytes that `encode` did not write. The caller must still check the
 * result.
 */
export function decode<T>(kind: FieldType<T>, bytes: Uint8Array, parts: Parts, adapters: GraphAdapters): T {
  const from = new StateReader(bytes, parts, adapters);
  const value = kind.read(from);
  if (from.bytes.rest > 0) throw new MalformedBytes(`Damaged data: ${from.bytes.rest} bytes follow the last value.`);
  return value;
}

/**
 * Copies a value, with the same result as `encode` followed by `decode`, but faster. The copy shares parts of the
 * definition, objects with an adapter and frozen records with the original. It also shares columns, so it is only valid
 * until the original writes to them.
 */
export function copyOf<T>(kind: FieldType<T>, value: T, parts: Parts, adapters: GraphAdapters): T {
  return kind.copy(value, new GraphCopier([partAdapter(parts), ...adapters]));
}
