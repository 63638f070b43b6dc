import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { arrangeJournal, type JournalRecord } from '../../engine/index.ts';
import { frameOf } from './frames.ts';
import { journalStart, readJournalBytes } from './journal-bytes.ts';

/** Frames are buffered up to this size, in bytes. A crash loses at most the last frames of this size. */
const gatherBytes = 64 * 1024;

/** Writes records to a file. Throws errors of the file system. */
export class JournalWriter {
  bytesWritten = 0;
  private readonly file: number;
  private gathered: Uint8Array[] = [];
  private gatheredBytes = 0;

  constructor(path: string) {
    this.file = openSync(path, 'w');
    this.gather(journalStart());
  }

  readonly put = (record: JournalRecord) => {
    this.gather(frameOf(record));
    if (this.gatheredBytes >= gatherBytes) this.flush();
  };

  flush() {
    for (const bytes of this.gathered) writeSync(this.file, bytes);
    this.bytesWritten += this.gatheredBytes;
    this.gathered = [];
    this.gatheredBytes = 0;
  }

  close() {
    this.flush();
    closeSync(this.file);
  }

  private gather(bytes: Uint8Array) {
    this.gathered.push(bytes);
    this.gatheredBytes += bytes.length;
  }
}

/**
 * Reads a journal; undefined if the file is not one. `lostBytes` is the number of bytes after the last complete record.
 * Throws errors of the file system.
 */
export function readJournal(path: string) {
  const { buffer, byteOffset, length } = readFileSync(path);
  const bytes = readJournalBytes(new Uint8Array(buffer as ArrayBuffer, byteOffset, length));
  const journal = bytes && arrangeJournal(bytes.records);
  return bytes === undefined || journal === undefined ? undefined : { journal, lostBytes: bytes.lostBytes };
}
