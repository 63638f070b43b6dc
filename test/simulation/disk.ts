import { dirname } from 'node:path';
import type { RandomStream } from '../../engine/core/random.ts';
import type { Disk, DiskFile, OpenMode } from '../../src/machine/disk.ts';
import type { Timeline } from './timeline.ts';

const sectorBytes = 512;

/** The content of a file, independent of its names. */
class Content {
  bytes = new Uint8Array(1024);
  length = 0;
  /** Number of synced bytes. The rest is only in the page cache. */
  synced = 0;
  /** Ranges that a failed sync has dropped: readers still see them, but they never reach the disk. */
  readonly dropped: (readonly [start: number, end: number])[] = [];

  append(more: Uint8Array): void {
    if (this.length + more.length > this.bytes.length) {
      const grown = new Uint8Array(Math.max(this.bytes.length * 2, this.length + more.length));
      grown.set(this.bytes.subarray(0, this.length));
      this.bytes = grown;
    }
    this.bytes.set(more, this.length);
    this.length += more.length;
  }

  copy(length = this.length): Content {
    const copy = new Content();
    copy.append(this.bytes.subarray(0, length));
    copy.synced = copy.length;
    return copy;
  }
}

/** A change of the names in a folder that is not synced yet. */
type NameChange =
  | { readonly path: string; readonly content: Content | undefined }
  | { readonly from: string; readonly to: string; readonly content: Content };

/** Temporary faults of a disk: none, no space left, or operations that sometimes fail. */
export type DiskTrouble = 'none' | 'full' | 'broken';

class DiskError extends Error {
  readonly code: string;

  constructor(code: string, path: string) {
    super(`${code}: ${path}`);
    this.code = code;
  }
}

/** The program that performs an operation. Operations in progress when it dies are not done, or done in part. */
export interface Owner {
  readonly isDead: boolean;
  openFiles: number;
  run(act: () => void): void;
}

/** Called before each operation takes effect. True if the owner dies in the middle of it. */
export type DeathCheck = () => boolean;

/**
 * A disk that is as unreliable as its contract allows. Unsynced content can be lost in whole or in part, sector by
 * sector, in any order. After a power failure, a folder that was not synced has the names after any prefix of its
 * changes. A failed sync drops the content that it was to write.
 */
export class VirtualDisk {
  trouble: DiskTrouble = 'none';
  /** Factor by which every operation is slower. */
  slowness = 1;
  readonly counts = { operations: 0, failed: 0, torn: 0, dropped: 0, namesLost: 0 };
  private names = new Map<string, Content>();
  private syncedNames = new Map<string, Content>();
  private readonly changes = new Map<string, NameChange[]>();
  private readonly folders = new Set<string>();
  private readonly timeline: Timeline;
  private readonly random: RandomStream;

  constructor(timeline: Timeline, random: RandomStream) {
    this.timeline = timeline;
    this.random = random;
  }

  get files(): number {
    return this.names.size;
  }

  /** Memory of this process that the disk's content occupies. */
  get memory(): number {
    const contents = new Set([...this.names.values(), ...this.syncedNames.values()]);
    let sum = 0;
    for (const { bytes } of contents) sum += bytes.length;
    return sum;
  }

  get bytes(): number {
    let sum = 0;
    for (const { length } of this.names.values()) sum += length;
    return sum;
  }

  /** The disk as one program sees it. */
  for(owner: Owner, dies: DeathCheck): Disk {
    const operation = <T>(path: string, effect: (isTorn: boolean) => T, canFail = true): Promise<T> =>
      this.operation(owner, dies, path, effect, canFail);
    return {
      makeFolder: (path) =>
        operation(path, () => {
          for (let folder = path; folder !== dirname(folder); folder = dirname(folder)) this.folders.add(folder);
        }),
      list: (folder) =>
        operation(folder, () => {
          if (!this.folders.has(folder)) throw new DiskError('ENOENT', folder);
          return [...this.names.keys()]
            .filter((path) => dirname(path) === folder)
            .map((path) => path.slice(folder.length + 1));
        }),
      read: (path) =>
        operation(path, () => {
          const { bytes, length } = this.contentOf(path);
          return bytes.slice(0, length);
        }),
      readSmall: (path) =>
        operation(path, () => {
          const { bytes, length } = this.contentOf(path);
          return bytes.slice(0, length);
        }),
      size: (path) => operation(path, () => this.contentOf(path).length),
      permissions: (path) =>
        operation(path, () => {
          this.contentOf(path);
          return undefined;
        }),
      open: (path, mode) => operation(path, () => this.open(owner, path, mode, operation)),
      rename: (from, to) =>
        operation(from, () => {
          const content = this.contentOf(from);
          this.names.delete(from);
          this.names.set(to, content);
          this.note(to, { from, to, content });
        }),
      link: (from, to) =>
        operation(from, () => {
          if (this.names.has(to)) throw new DiskError('EEXIST', to);
          const content = this.contentOf(from);
          this.names.set(to, content);
          this.note(to, { path: to, content });
        }),
      remove: (path) =>
        operation(path, () => {
          if (this.names.delete(path)) this.note(path, { path, content: undefined });
        }),
      syncFolder: (path) =>
        operation(path, () => {
          for (const change of this.changes.get(path) ?? []) apply(this.syncedNames, change);
          this.changes.delete(path);
        }),
    };
  }

  /** Drops the page cache: what was synced stays, and a random part of the rest. */
  losePower(): void {
    for (const [, changes] of [...this.changes].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const kept = this.random.integer(0, changes.length);
      this.counts.namesLost += changes.length - kept;
      for (const change of changes.slice(0, kept)) apply(this.syncedNames, change);
    }
    this.changes.clear();
    const survivors = new Map<Content, Content>();
    this.names = new Map();
    for (const [path, content] of this.syncedNames) {
      let survivor = survivors.get(content);
      if (survivor === undefined) {
        survivor = this.survivorOf(content);
        survivors.set(content, survivor);
      }
      this.names.set(path, survivor);
    }
    this.syncedNames = new Map(this.names);
  }

  /** A copy of the disk after a power failure now (only what was synced) or after the end of the process. */
  image(after: 'power' | 'process'): VirtualDisk {
    const disk = new VirtualDisk(this.timeline, this.random);
    const names = after === 'power' ? this.syncedNames : this.names;
    for (const [path, content] of names) {
      const copy = after === 'power' ? withoutDropped(content, content.synced) : content.copy();
      disk.names.set(path, copy);
      disk.syncedNames.set(path, copy);
    }
    for (const folder of this.folders) disk.folders.add(folder);
    return disk;
  }

  private survivorOf(content: Content): Content {
    const { length, synced } = content;
    const survivor = withoutDropped(content, length);
    if (length === synced) return survivor;
    const way = this.random.integer(0, 3);
    if (way === 0) survivor.length = synced;
    else if (way === 1) survivor.length = this.random.integer(synced, length);
    else if (way === 2) {
      for (let start = synced; start < length; ) {
        const end = Math.min(length, (Math.floor(start / sectorBytes) + 1) * sectorBytes);
        if (this.random.chance(0.5)) survivor.bytes.fill(0, start, end);
        start = end;
      }
    }
    if (way < 3) this.counts.torn++;
    survivor.synced = survivor.length;
    return survivor;
  }

  private open(
    owner: Owner,
    path: string,
    mode: OpenMode,
    operation: <T>(path: string, effect: (isTorn: boolean) => T, canFail?: boolean) => Promise<T>,
  ): DiskFile {
    if (!this.folders.has(dirname(path))) throw new DiskError('ENOENT', path);
    let content = this.names.get(path);
    if (content === undefined || mode === 'replace') {
      if (this.trouble === 'full') throw new DiskError('ENOSPC', path);
      content = new Content();
      this.names.set(path, content);
      this.note(path, { path, content });
    }
    const file = content;
    owner.openFiles++;
    let isOpen = true;
    const demandOpen = (): void => {
      if (!isOpen) throw new DiskError('EBADF', path);
    };
    return {
      write: (bytes) =>
        operation(path, (isTorn) => {
          demandOpen();
          const isFull = this.trouble === 'full';
          // Writes as much as fits; the next write then fails.
          const taken = isTorn || isFull ? this.random.integer(0, bytes.length) : bytes.length;
          if (isFull && (taken === 0 || this.random.chance(0.5))) throw new DiskError('ENOSPC', path);
          file.append(bytes.subarray(0, taken));
          return taken;
        }),
      sync: () =>
        operation(path, () => {
          demandOpen();
          if (this.trouble === 'broken' && this.random.chance(0.5)) {
            if (file.synced < file.length) file.dropped.push([file.synced, file.length]);
            file.synced = file.length;
            this.counts.dropped++;
            throw new DiskError('EIO', path);
          }
          file.synced = file.length;
        }),
      close: () =>
        operation(
          path,
          () => {
            demandOpen();
            isOpen = false;
            owner.openFiles--;
          },
          false,
        ),
    };
  }

  private operation<T>(
    owner: Owner,
    dies: DeathCheck,
    path: string,
    effect: (isTorn: boolean) => T,
    canFail: boolean,
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      if (owner.isDead) return;
      const ms = (0.05 + this.random.next() ** 4 * 3) * this.slowness;
      this.timeline.after(ms, () => {
        this.counts.operations++;
        // A process that is dead by now may still have made the request.
        if (owner.isDead && this.random.chance(0.5)) return;
        if (!owner.isDead && dies()) {
          if (this.random.chance(0.7)) attempt(() => effect(true));
          return;
        }
        if (canFail && this.trouble === 'broken' && this.random.chance(0.3)) {
          this.counts.failed++;
          owner.run(() => reject(new DiskError('EIO', path)));
          return;
        }
        let outcome: T;
        try {
          outcome = effect(owner.isDead);
        } catch (error) {
          this.counts.failed++;
          owner.run(() => reject(error));
          return;
        }
        owner.run(() => resolve(outcome));
      });
    });
  }

  private contentOf(path: string): Content {
    const content = this.names.get(path);
    if (content === undefined) throw new DiskError('ENOENT', path);
    return content;
  }

  private note(path: string, change: NameChange): void {
    const folder = dirname(path);
    const changes = this.changes.get(folder);
    if (changes === undefined) this.changes.set(folder, [change]);
    else changes.push(change);
  }
}

function apply(names: Map<string, Content>, change: NameChange): void {
  if ('from' in change) {
    names.delete(change.from);
    names.set(change.to, change.content);
  } else if (change.content === undefined) names.delete(change.path);
  else names.set(change.path, change.content);
}

function withoutDropped(content: Content, length: number): Content {
  const copy = content.copy(length);
  for (const [start, end] of content.dropped) if (start < length) copy.bytes.fill(0, start, Math.min(end, length));
  return copy;
}

function attempt(act: () => void): void {
  try {
    act();
  } catch {
    // It would have failed as well.
  }
}
