import type { ListedProcess, ListedRoom, Reach, RoomLocation } from '../journal.ts';
import type { RedisConnection } from './connection.ts';
import type { RedisJournalOptions } from './journal-options.ts';
import { leasePrefix, listPrefix, metaKey, processesKey } from './names.ts';
import { roomForm } from './room-form.ts';
import * as scripts from './scripts.ts';

/**
 * How long the seal of a process is valid after it was first seen, ms. Without the limit, a program that gets the
 * address of a dead process could publish that process's entry again. The time is measured without wall time, which
 * differs between machines.
 */
const sealMsMax = 300_000;

/** The entry that a process publishes about itself. */
interface ProcessInfo extends Reach {
  readonly id: string;
  /** How many minutes the process has been running. The number makes the seal change over time. */
  readonly minutes: number;
  readonly store: string;
  /** The format of the rooms that the process can play. */
  readonly form: string;
  /** Whether the process takes over all rooms of dead processes, or only those that a client asks for. */
  readonly takesAll: boolean;
  /** Whether the process admits newcomers. */
  readonly admits: boolean;
}

/** Publishes the URLs and rooms of this process for the others, and reads what the others publish. */
export class ProcessDirectory {
  /** The URL at which other processes reach this one; undefined until it is known. */
  private inside: string | undefined;
  /** For each process, the highest `minutes` in an entry with a valid seal, and when that number was first seen. */
  private readonly seals = new Map<string, { readonly minutes: number; readonly sinceMs: number }>();
  /** Processes without a valid seal; each is reported only once. */
  private readonly reported = new Set<string>();
  /** The last published list of rooms. */
  private published = '';

  constructor(
    readonly ownId: string,
    private readonly redis: RedisConnection,
    private readonly options: RedisJournalOptions,
  ) {}

  /** Sets the URL at which other processes reach this one. It is published with the next heartbeat. */
  reachable(inside: string) {
    this.inside = inside;
  }

  /** The sealed entry of this process. */
  ownEntry(): string {
    const { publicUrl, storeMark, takes, listener, machine, sealOf } = this.options;
    const info: ProcessInfo = {
      id: this.ownId,
      minutes: Math.floor(machine.clock.now() / 60_000),
      url: publicUrl,
      inside: this.inside,
      store: storeMark,
      form: roomForm,
      takesAll: takes === 'all',
      admits: listener.admits(),
    };
    const entry = JSON.stringify(info);
    return `${sealOf(entry)} ${entry}`;
  }

  /** Reads the sealed entry of a process. Undefined if it has no valid seal of that process; this is reported once. */
  read(sealed: Buffer, process: string): ProcessInfo | undefined {
    const { sealOf, onNotice, machine } = this.options;
    const [, seal, entry = ''] = /^(\S+) (.*)$/s.exec(sealed.toString()) ?? [];
    const info = seal === sealOf(entry) ? readJson<ProcessInfo>(entry) : undefined;
    if (info?.id === process) {
      const { minutes } = info;
      const now = machine.clock.now();
      let known = this.seals.get(process);
      if (known === undefined || known.minutes < minutes) {
        known = { minutes, sinceMs: now };
        this.seals.set(process, known);
      }
      if (known.minutes === minutes && now - known.sinceMs < sealMsMax) return info;
    }
    if (!this.reported.has(process)) {
      this.reported.add(process);
      onNotice(
        'secret-differs',
        `The signature of process ${process} was not made with the token secret of this process, or is minutes old, so nothing is forwarded to that process. Start all processes with the same --token-secret-file and version.`,
        { process },
      );
    }
    return undefined;
  }

  /**
   * The processes with a valid seal. Unsealed entries, which any program may have published, get no players, requests
   * or tokens.
   */
  async living(): Promise<readonly { readonly info: ProcessInfo; readonly rooms: readonly ListedRoom[] }[]> {
    type Row = readonly [id: Buffer, info: Buffer, rooms: Buffer];
    const keys = [leasePrefix, listPrefix];
    const rows = (await this.redis.run(scripts.readProcesses, [processesKey], keys)) as readonly Row[];
    return rows.flatMap(([id, sealed, rooms]) => {
      const info = this.read(sealed, id.toString());
      return info === undefined ? [] : [{ info, rooms: readJson<readonly ListedRoom[]>(rooms) ?? [] }];
    });
  }

  /** The number of other living processes that would take over this process's rooms. */
  async successors(): Promise<number> {
    const processes = await this.living();
    return processes.filter(({ info }) => info.id !== this.ownId && info.form === roomForm && info.takesAll).length;
  }

  /** The other living processes, with their rooms. */
  async others(): Promise<readonly ListedProcess[]> {
    const processes = await this.living();
    return processes.flatMap(({ info, rooms }) =>
      info.id === this.ownId ? [] : [{ id: info.id, ...reachOf(info), admits: info.admits, rooms }],
    );
  }

  /** The process that plays a room; undefined if the room no longer exists. */
  async locate(room: string): Promise<(RoomLocation & { readonly process: string }) | undefined> {
    const found = (await this.redis.run(scripts.locateRoom, [metaKey(room)], [leasePrefix])) as
      | [owner: Buffer, info: Buffer | null]
      | null;
    if (found === null) return undefined;
    const [owner, info] = found;
    const process = owner.toString();
    const reach = reachOf(info === null ? undefined : this.read(info, process));
    return { process, isOurs: process === this.ownId, isAlive: info !== null, reach };
  }

  /** Publishes the list of rooms. If that fails, the list is published with the next heartbeat. */
  async publishRooms(): Promise<void> {
    const { leaseMs, listener } = this.options;
    const list = JSON.stringify(listener.rooms());
    const changed = list === this.published ? [] : [list];
    this.published = list;
    const key = listPrefix + this.ownId;
    const isThere = await this.redis.run(scripts.publishRooms, [key], [leaseMs, ...changed]).catch(() => 0);
    if (isThere !== 1) this.published = '';
  }

  /** Warns the operator if a living process stores saved data elsewhere. */
  async checkStores(): Promise<void> {
    const processes = await this.living();
    if (processes.every(({ info }) => info.store === this.options.storeMark)) return;
    this.options.onNotice(
      'store-differs',
      'Another process uses another store. Start all processes with the same --store, or with --store file:FOLDER if they share a folder.',
    );
  }
}

function reachOf(info: ProcessInfo | undefined): Reach {
  return { url: info?.url, inside: info?.inside };
}

function readJson<T>(bytes: Buffer | string): T | undefined {
  try {
    return JSON.parse(bytes.toString()) as T;
  } catch {
    return undefined;
  }
}
