import { join } from 'node:path';
import { isObject } from '../../../engine/core/index.ts';
import { joined, type RecordKind, type RecordStore } from '../../cluster/index.ts';
import { type Clock, type Disk, ifExists, readIfExists, replaceFile } from '../../machine/index.ts';

/** Parses records as JSON. Skips damaged ones, so that they do not hide the others. */
export function jsonRecords<T>(records: ReadonlyMap<string, Uint8Array>): ReadonlyMap<string, T> {
  const read = new Map<string, T>();
  for (const [id, bytes] of records) {
    try {
      const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
      if (isObject(value)) read.set(id, value as T);
    } catch {}
  }
  return read;
}

export function jsonRecord(value: object): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

/**
 * Whether a string can be the id of a record. This is checked, because ids come from URLs and become file names and
 * keys.
 */
export function isRecordId(id: string): boolean {
  return /^[0-9a-f]{1,64}$/.test(id);
}

interface Kept {
  readonly bytes: Uint8Array;
  readonly untilMs: number;
}

/** Keeps records in memory, for servers that persist nothing. */
export class MemoryRecordStore implements RecordStore {
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

  async all(kind: RecordKind): Promise<ReadonlyMap<string, Uint8Array>> {
    return new Map([...this.of(kind)].map(([id, { bytes }]) => [id, bytes]));
  }

  async version(): Promise<number> {
    return this.changes;
  }

  close(): void {}

  private of(kind: RecordKind): Map<string, Kept> {
    const records = this.kept.get(kind) ?? new Map<string, Kept>();
    this.kept.set(kind, records);
    const now = this.clock.date();
    for (const [id, { untilMs }] of records) if (untilMs <= now) records.delete(id);
    return records;
  }
}

const lineEnd = 10;

/** Keeps each record in a file. The first line of the file is the time at which the record expires. */
export class FileRecordStore implements RecordStore {
  private changes = 0;

  constructor(
    private readonly folder: string,
    private readonly disk: Disk,
    private readonly clock: Clock,
  ) {}

  async put(kind: RecordKind, id: string, bytes: Uint8Array, untilMs: number): Promise<void> {
    await this.disk.makeFolder(join(this.folder, kind));
    const head = new TextEncoder().encode(`${untilMs}\n`);
    this.changes++;
    // The extension is unique, because two writes of the same record may overlap.
    const temporary = `${this.changes}.new`;
    await replaceFile(this.disk, join(this.folder, kind, id), joined([head, bytes]), {
      sync: true,
      permissions: 0o600,
      temporary,
    });
    this.changes++;
  }

  async get(kind: RecordKind, id: string): Promise<Uint8Array | undefined> {
    const path = join(this.folder, kind, id);
    const bytes = await readIfExists(this.disk, path);
    if (bytes === undefined) return undefined;
    const end = bytes.indexOf(lineEnd);
    const untilMs = Number(new TextDecoder().decode(bytes.subarray(0, Math.max(0, end))));
    // A record whose first line is damaged is returned as a whole, so that backups report the damage.
    if (end <= 0 || Number.isNaN(untilMs)) return bytes;
    if (untilMs > this.clock.date()) return bytes.subarray(end + 1);
    await this.disk.remove(path);
    return undefined;
  }

  async remove(kind: RecordKind, id: string): Promise<boolean> {
    const isThere = (await this.get(kind, id)) !== undefined;
    await this.disk.remove(join(this.folder, kind, id));
    this.changes++;
    return isThere;
  }

  async all(kind: RecordKind): Promise<ReadonlyMap<string, Uint8Array>> {
    const names = (await ifExists(this.disk.list(join(this.folder, kind)))) ?? [];
    const found = new Map<string, Uint8Array>();
    for (const id of names.filter(isRecordId)) {
      const bytes = await this.get(kind, id);
      if (bytes !== undefined) found.set(id, bytes);
    }
    return found;
  }

  async version(): Promise<number> {
    return this.changes;
  }

  close(): void {}
}
