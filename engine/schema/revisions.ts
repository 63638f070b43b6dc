import { grown } from '../core/grown.ts';

/** Rows with one digest, as a power of two. */
export const chunkBits = 6;
export const chunkRows = 1 << chunkBits;

/** Counts the changes of a store by row: hashes look again at what has another count than before. */
export class Revisions {
  /** Another number when any row may be another than before. */
  all = 0;
  readonly chunks: Int32Array;
  /** Undefined for columns, of which a whole chunk is read as fast as it is looked for what has changed. */
  rows: Int32Array | undefined;

  /** Both begin with zeros. They are given, so that those of many stores can lie in one memory. */
  constructor(chunks: Int32Array, rows: Int32Array | undefined) {
    this.chunks = chunks;
    this.rows = rows;
  }

  count(row: number): void {
    this.chunks[row >> chunkBits]!++;
    if (this.rows !== undefined) this.rows[row]!++;
  }

  countAll(): void {
    this.all++;
  }

  /** Room for so many rows. */
  reserve(rows: number): void {
    if (this.rows !== undefined) this.rows = grown(this.rows, rows);
  }
}
