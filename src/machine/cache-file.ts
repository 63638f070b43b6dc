import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** Reads a cache file; undefined if it cannot be read. */
export function readCacheFile(file: string): Uint8Array | undefined {
  try {
    const { buffer, byteOffset, length } = readFileSync(file);
    return new Uint8Array(buffer as ArrayBuffer, byteOffset, length);
  } catch {
    return undefined;
  }
}

/** Returns the first half of data that was stored twice; undefined if the halves differ, which means damage. */
export function verifiedHalf(twice: Uint8Array): Uint8Array | undefined {
  const length = twice.length / 2;
  if (length === 0 || !Number.isInteger(length)) return undefined;
  const half = twice.subarray(0, length);
  return Buffer.compare(half, twice.subarray(length)) === 0 ? half : undefined;
}

/**
 * Writes a cache file that only this user can read. It is renamed when complete, so that no other process reads a
 * partial file. Throws if it cannot be written.
 */
export function writeCacheFile(file: string, ...parts: readonly Uint8Array[]): void {
  const part = `${file}.${process.pid}`;
  const open = openSync(part, 'w', 0o600);
  try {
    for (const each of parts) for (let at = 0; at < each.length; ) at += writeSync(open, each, at);
  } finally {
    closeSync(open);
  }
  renameSync(part, file);
}

/** Creates the cache folder, and empties it if it holds more than `filesMax` files. Throws if that fails. */
export function pruneCache(folder: string, filesMax: number): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const old = readdirSync(folder);
  if (old.length > filesMax) for (const name of old) rmSync(join(folder, name), { force: true });
}
