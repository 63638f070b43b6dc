/** The kinds of records. Only `bans` and `reports` can be listed; the others are read by id. */
export type RecordKind = 'bans' | 'reports' | 'report-plays' | 'report-games';

/**
 * Stores small records that outlive rooms, by kind and id (hexadecimal digits), each until it expires (ms since 1970;
 * `Infinity` for never). With a shared journal, all processes have the same records. Rejects if the database or the
 * disk fails.
 */
export interface RecordStore {
  put(kind: RecordKind, id: string, bytes: Uint8Array, untilMs: number): Promise<void>;
  get(kind: RecordKind, id: string): Promise<Uint8Array | undefined>;
  /** Removes a record. Resolves with false if there was none. */
  remove(kind: RecordKind, id: string): Promise<boolean>;
  all(kind: RecordKind): Promise<ReadonlyMap<string, Uint8Array>>;
  /** A number that changes whenever any process changes the records of this kind. Expired records do not change it. */
  version(kind: RecordKind): Promise<number>;
  close(): void;
}
