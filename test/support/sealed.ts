import { ByteReader, ByteWriter } from '../../engine/core/bytes.ts';
import { StateHasher } from '../../engine/core/hash.ts';

/** The position of the state in a snapshot. */
export function bodyOf(whole: Uint8Array): { readonly start: number; readonly end: number } {
  const from = new ByteReader(whole);
  from.at = 4;
  for (let i = 0; i < 6; i++) from.text();
  from.count();
  const length = from.count();
  return { start: from.at, end: from.at + length };
}

/** Recomputes the checksum of a modified snapshot. */
export function sealed(changed: Uint8Array): Uint8Array {
  const { end } = bodyOf(changed);
  const hasher = new StateHasher();
  hasher.bytes(changed.subarray(0, end));
  const to = new ByteWriter();
  to.raw(changed.subarray(0, end));
  to.text(hasher.digest());
  return to.take();
}
