import { ByteWriter, MalformedBytes } from '../core/bytes.ts';
import type { GraphAdapters } from '../core/graph.ts';
import { GraphCopier } from '../core/graph-copy.ts';
import { StateHasher } from '../core/hash.ts';
import type { FieldType } from './field-type.ts';
import { type Parts, partAdapter } from './parts.ts';
import { StateReader, StateWriter } from './state-bytes.ts';

// Used again by each call: memory of that size costs more than what is written into it.
const scratch = new ByteWriter();
const assembled = new ByteWriter();
const hasher = new StateHasher();

/**
 * The bytes are good until the next call. `adapters` are of the classes of which objects can stand in values of any form; the same for both
 * directions.
 */
export function encode<T>(
  kind: FieldType<T>,
  value: T,
  parts: Parts,
  adapters: GraphAdapters,
): Uint8Array<ArrayBuffer> {
  return written(kind, value, new StateWriter(parts, adapters, scratch));
}

/** 16 hexadecimal digits over the bytes of a value, without the fields that are `outsideHash`. */
export function hashOf<T>(kind: FieldType<T>, value: T, parts: Parts, adapters: GraphAdapters): string {
  hasher.reset();
  hasher.bytes(written(kind, value, new StateWriter(parts, adapters, scratch, true)));
  return hasher.digest();
}

function written<T>(kind: FieldType<T>, value: T, to: StateWriter): Uint8Array<ArrayBuffer> {
  scratch.clear();
  kind.write(value, to);
  assembled.clear();
  return to.whole(assembled);
}

/** Throws `MalformedBytes` for bytes that `encode` did not write. The caller must still check the result. */
export function decode<T>(kind: FieldType<T>, bytes: Uint8Array, parts: Parts, adapters: GraphAdapters): T {
  const from = new StateReader(bytes, parts, adapters);
  const value = kind.read(from);
  if (from.bytes.rest > 0) throw new MalformedBytes(`${from.bytes.rest} bytes are left over.`);
  return value;
}

/**
 * The result of `encode` and `decode`, without the bytes. Parts of the definition, objects with an adapter and frozen records stay the same ones. So do
 * columns, which are good for as long as nothing writes to them.
 */
export function copyOf<T>(kind: FieldType<T>, value: T, parts: Parts, adapters: GraphAdapters): T {
  return kind.copy(value, new GraphCopier([partAdapter(parts), ...adapters]));
}
