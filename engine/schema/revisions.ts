import { grown } from '../core/grown.ts';

/** Rows with one digest, as a power of two. */
export const chunkBits = 6;
export const chunkRows = 1 << chunkBits;

/** Counts the changes of a store by row: hashes look again at what has another count than before. */
export class Revisions {
  readonly chunks: Int32Array;
  /** Undefined for columns, of which a whole chunk is read as fast as it is looked for what has changed. */
  rows: Int32Array | undefined;

  constructor(chunks: number, rows: number | undefined) {
    this.chunks = new Int32Array(chunks);
    this.rows = rows === undefined ? undefined : new Int32Array(rows);
  }

  count(row: number): void {
    this.chunks[row >> chunkBits]!++;
    if (this.rows !== undefined) this.rows[row]!++;
  }

  /** Any row may be another than before. */
  countAll(): void {
    const { chunks, rows } = this;
    for (let chunk = 0; chunk < chunks.length; chunk++) chunks[chunk]!++;
    if (rows !== undefined) for (let row = 0; row < rows.length; row++) rows[row]!++;
  }

  /** Room for so many rows. */
  reserve(rows: number): void {
    if (this.rows !== undefined) this.rows = grown(this.rows, rows);
  }
}
