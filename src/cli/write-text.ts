import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Failure } from './failure.ts';

/** Writes a file that a user asked for, in a folder that is made where it is not there. */
export function writeText(path: string, text: string | Uint8Array): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  } catch (error) {
    throw new Failure('cannot-write', `${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
