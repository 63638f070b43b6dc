import { join } from 'node:path';
import { cached, isObject } from '../../engine/core/index.ts';
import { type Clock, type Disk, ifExists, type Machine, readIfExists, replaceFile } from '../machine/index.ts';

/** The kinds of records: the data of accounts, and what a community keeps. */
export type RecordKind = 'players' | 'bans' | 'reports' | 'report-plays' | 'report-games';

/**
 * Stores records that outlive rooms, by kind and id (hexadecimal digits), each until it expires (ms since 1970;
 * `Infinity` for never). Each record is replaced as a whole, so that writes can be repeated. Rejects if the database or
 * the disk fails.
 */
export interface RecordStore {
  put(kind: RecordKind, id: string, bytes: Uint8Array, untilMs: number): Promise<void>;
  get(kind: RecordKind, id: string): Promise<Uint8Array | undefined>;
  /** Removes a record. Resolves with false if there was none. */
  remove(kind: RecordKind, id: string): Promise<boolean>;
  /** All records, in any order. A record that is written during the listing is listed with its old or its new bytes. */
  list(kind: RecordKind): AsyncIterable<readonly [id: string, bytes: Uint8Array]>;
  close(): void | Promise<void>;
}

/** A store that can tell whether records have changed. With a shared journal, all processes share its records. */
export interface WatchedStore extends RecordStore {
  /** The interval at which its users look for changes, ms. Default 1000. */
  readonly watchMs?: number | undefined;
  /** A number that changes whenever any process changes the records of this kind. Expired records do not change it. */
  version(kind: RecordKind): Promise<number>;
}

/** Reads all records of a kind as JSON. Skips damaged ones, so that they do not hide the others. */
export async function jsonRecords<T>(store: RecordStore, kind: RecordKind): Promise<ReadonlyMap<string, T>> {
  const read = new Map<string, T>();
  for await (const [id, bytes] of store.list(kind)) {
    const value = jsonOf<T>(bytes);
    if (value !== undefined) read.set(id, value);
  }
  return read;
}

/** A record as JSON; undefined if it is damaged. */
export function jsonOf<T>(bytes: Uint8Array): T | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return isObject(value) ? (value as T) : undefined;
  } catch {
    return undefined;
  }
}

export function jsonRecord(value: object): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

/** Ids are validated, because they come from URLs and become file names and keys. */
export function isRecordId(id: string): boolean {
  return /^[0-9a-f]{1,64}$/.test(id);
}

interface Kept {
  readonly bytes: Uint8Array;
  readonly untilMs: number;
}

/** Keeps records in memory, for servers that persist nothing. */
export class MemoryRecordStore implements WatchedStore {
  private readonly kept = new Map<RecordKind, Map<string, Kept>>();
  private changes = 0;

  constructor(private readonly clock: Clock) {}

  async put(kind: RecordKind, id: string, bytes: Uint8Array, untilMs: number): Promise<void> {
    this.of(kind).set(id, { bytes, untilMs });
    this.changes++;
  }

  async get(kind: RecordKind, id: string): Promise<Uint8Array | undefined> {
    return this.of(kind).get(id)?.bytes;
  }

  async remove(kind: RecordKind, id: string): Promise<boolean> {
    this.changes++;
    return this.of(kind).delete(id);
  }

  async *list(kind: RecordKind): AsyncGenerator<[string, Uint8Array]> {
    for (const [id, { bytes }] of this.of(kind)) yield [id, bytes];
  }

  async version(): Promise<number> {
    return this.changes;
  }

  close(): void {}

  private of(kind: RecordKind): Map<string, Kept> {
    const records = cached(this.kept, kind, () => new Map<string, Kept>());
    const now = this.clock.date();
    for (const [id, { untilMs }] of records) if (untilMs <= now) records.delete(id);
    return records;
  }
}

const lineEnd = 10;

/** Keeps each record in a file. The first line of the file is the time at which the record expires. */
export class FileRecordStore implements WatchedStore {
  private changes = 0;

  constructor(
    private readonly folder: string,
    private readonly machine: Pick<Machine, 'clock' | 'processes'> & { readonly disk: Disk },
  ) {}

  async put(kind: RecordKind, id: string, bytes: Uint8Array, untilMs: number): Promise<void> {
    const { disk, processes } = this.machine;
    await disk.makeFolder(join(this.folder, kind));
    this.changes++;
    // The name is unique, because two writes of the same record may overlap, also those of two processes.
    const temporary = `${processes.pid}-${processes.namespace}-${this.changes}.new`;
    const head = new TextEncoder().encode(`${untilMs}\n`);
    const whole = new Uint8Array(head.length + bytes.length);
    whole.set(head);
    whole.set(bytes, head.length);
    await replaceFile(disk, join(this.folder, kind, id), whole, { sync: true, permissions: 0o600, temporary });
    this.changes++;
  }

  async get(kind: RecordKind, id: string): Promise<Uint8Array | undefined> {
    const path = join(this.folder, kind, id);
    const bytes = await readIfExists(this.machine.disk, path);
    if (bytes === undefined) return undefined;
    const end = bytes.indexOf(lineEnd);
    const untilMs = Number(new TextDecoder().decode(bytes.subarray(0, Math.max(0, end))));
    // A record whose first line is damaged is returned as a whole, so that backups report the damage.
    if (end <= 0 || Number.isNaN(untilMs)) return bytes;
    if (untilMs > this.machine.clock.date()) return bytes.subarray(end + 1);
    await this.machine.disk.remove(path);
    return undefined;
  }

  async remove(kind: RecordKind, id: string): Promise<boolean> {
    const { disk } = this.machine;
    const isThere = (await this.get(kind, id)) !== undefined;
    await disk.remove(join(this.folder, kind, id));
    await ifExists(disk.syncFolder(join(this.folder, kind)));
    this.changes++;
    return isThere;
  }

  async *list(kind: RecordKind): AsyncGenerator<[string, Uint8Array]> {
    const names = (await ifExists(this.machine.disk.list(join(this.folder, kind)))) ?? [];
    for (const id of names.filter(isRecordId).sort()) {
      const bytes = await this.get(kind, id);
      if (bytes !== undefined) yield [id, bytes];
    }
  }

  async version(): Promise<number> {
    return this.changes;
  }

  close(): void {}
}
