import { joined } from '../../cluster/index.ts';
import type { ObjectStorage } from './platform.ts';

/** A value in the platform's storage has at most 2 MB, so larger ones are divided into pieces of this size. */
const pieceBytes = 1_900_000;

type Name = string | number;

/**
 * Stores bytes by kind and name, which may be a number, in the SQLite database of an object. The table is created at
 * the first write, so that an object without data costs nothing.
 */
export class Pieces {
  private readonly sql: ObjectStorage['sql'];
  private isMade: boolean;

  constructor({ sql }: ObjectStorage) {
    this.sql = sql;
    this.isMade = [...sql.exec("select 1 from sqlite_master where name = 'kept'")].length > 0;
  }

  /** Stores bytes, replacing earlier ones. All pieces are written, or none. */
  put(kind: string, name: Name, bytes: Uint8Array) {
    if (!this.isMade) {
      this.sql.exec(
        'create table kept (kind text, name, piece integer, bytes blob, primary key (kind, name, piece)) without rowid',
      );
      this.isMade = true;
    }
    const count = Math.max(1, Math.ceil(bytes.length / pieceBytes));
    for (let piece = 0; piece < count; piece++)
      this.sql.exec(
        'insert or replace into kept values (?, ?, ?, ?)',
        kind,
        name,
        piece,
        bytes.subarray(piece * pieceBytes, (piece + 1) * pieceBytes),
      );
    this.each('delete from kept where kind = ? and name = ? and piece >= ?', kind, name, count);
  }

  get(kind: string, name: Name): Uint8Array | undefined {
    const rows = this.each('select bytes from kept where kind = ? and name = ? order by piece', kind, name);
    return rows.length === 0 ? undefined : joined(rows.map(({ bytes }) => new Uint8Array(bytes as ArrayBuffer)));
  }

  /** The names stored for a kind, in ascending order. */
  names<N extends Name = string>(kind: string): N[] {
    const rows = this.each('select distinct name from kept where kind = ? order by name', kind);
    return rows.map(({ name }) => name as N);
  }

  numbers(kind: string): number[] {
    return this.names<number>(kind);
  }

  delete(kind: string, name: Name) {
    this.each('delete from kept where kind = ? and name = ?', kind, name);
  }

  /** Notes that the platform has deleted everything, including the table. */
  forget() {
    this.isMade = false;
  }

  /** Deletes everything of a kind with a smaller number. */
  deleteBefore(kind: string, number: number) {
    this.each('delete from kept where kind = ? and name < ?', kind, number);
  }

  /**
   * Moves unusable bytes to another kind, so that they can be inspected. Without a number, this applies to everything
   * of the kind.
   */
  setAside(kind: string, number?: number) {
    this.each(
      'update or replace kept set kind = ? where kind = ? and name = coalesce(?, name)',
      `${kind} aside`,
      kind,
      number ?? null,
    );
  }

  private each(query: string, ...values: (string | number | null)[]) {
    return this.isMade ? [...this.sql.exec(query, ...values)] : [];
  }
}
