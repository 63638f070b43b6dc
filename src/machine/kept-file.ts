import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** The content of a file of a cache; undefined where it cannot be read. */
export function readKept(file: string): Uint8Array | undefined {
  try {
    const { buffer, byteOffset, length } = readFileSync(file);
    return new Uint8Array(buffer as ArrayBuffer, byteOffset, length);
  } catch {
    return undefined;
  }
}

/** One of two equal halves; undefined where they differ, because one is damaged. */
export function halfOf(twice: Uint8Array): Uint8Array | undefined {
  const length = twice.length / 2;
  if (length === 0 || !Number.isInteger(length)) return undefined;
  const half = twice.subarray(0, length);
  return Buffer.compare(half, twice.subarray(length)) === 0 ? half : undefined;
}

/** Writes a file of a cache, for its user alone. Renamed when complete, so that no other process reads half of it. Throws where it cannot be written. */
export function writeKept(file: string, ...parts: readonly Uint8Array[]): void {
  const part = `${file}.${process.pid}`;
  const open = openSync(part, 'w', 0o600);
  try {
    for (const each of parts) for (let at = 0; at < each.length; ) at += writeSync(open, each, at);
  } finally {
    closeSync(open);
  }
  renameSync(part, file);
}

/** Makes the folder of a cache. All that is kept there goes when it is more than `filesMax`. Throws where that cannot be done. */
export function makeRoom(folder: string, filesMax: number): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const old = readdirSync(folder);
  if (old.length > filesMax) for (const name of old) rmSync(join(folder, name), { force: true });
}
