import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import { engineVersion, messageOf } from '../../../engine/core/index.ts';
import { frameOf, readFrames } from '../../journal/index.ts';
import { type Machine, randomDigits, type Timer } from '../../machine/index.ts';
import type {
  ListedProcess,
  ListedRoom,
  Reach,
  RoomJournal,
  RoomLocation,
  SharedListener,
  SharedRooms,
  WriteOutcome,
} from '../journal.ts';
import { ServerError } from '../operator/codes.ts';
import type { Observer } from '../operator/observer.ts';
import { plainBytes } from '../plain-bytes.ts';
import {
  decodeRecord,
  encodeRecord,
  isIdentity,
  isRow,
  isSnapshot,
  joined,
  storedRoom,
  withoutReplacedTicks,
} from '../stored-forms.ts';
import type { RoomIdentity, RoomSnapshot, StoredRoom, TickRecord } from '../stored-room.ts';
import { type Argument, type ClientMaker, RedisConnection, type RedisScript } from './connection.ts';
import { installedClient } from './installed-client.ts';
import { leaseKey, leasePrefix, leftKey, listPrefix, processesKey, roomKeys, roomsKey, textKey } from './names.ts';
import * as scripts from './scripts.ts';

/** The format of stored rooms. Rooms of another format or engine version are left to processes of that version. */
const form = `1/${engineVersion}`;
const versionOf = (other: string): string => other.split('/')[1] ?? '';
const retryMs = 1000;
/** How many times a lease is extended within its duration. */
const beatsPerLease = 4;
/** A process whose heartbeats come late takes leases up to this many times as long. */
const leasesMax = 5;
/** How fast late heartbeats are forgotten: this share of the lateness counts for the next one. */
const lateDecay = 0.9;
/**
 * After connecting to Redis, a process ignores expired leases for this many lease durations, because no process could
 * extend its lease while Redis was unreachable. This is longer than a hanging request (one lease duration) and the
 * heartbeat that follows it.
 */
const leasesToReturn = 1.25;
/** How many rooms one script writes at most, because Redis runs nothing else meanwhile. */
const scriptRoomsMax = 256;
/** How many rooms of a dead process are taken over in parallel. */
const takeoversMax = 4;
/** How long rooms that were set aside are kept. */
const setAsideMs = 7 * 24 * 3600 * 1000;
/** How long unused definitions are kept, and how often the expiry of used ones is extended. */
const textMs = 30 * 24 * 3600 * 1000;
const textBeatMs = 24 * 3600 * 1000;

/** What a Redis journal needs besides the machine. */
export interface RedisPorts {
  readonly makeClient: ClientMaker;
  deflate(bytes: Uint8Array | string, options?: { readonly level: number }): Promise<Buffer>;
  inflate(bytes: Uint8Array): Promise<Buffer>;
}

const deflate = promisify<Uint8Array | string, { level?: number } | undefined, Buffer>((bytes, options, done) =>
  deflateRaw(bytes, options ?? {}, done),
);
const inflate = promisify<Uint8Array, Buffer>(inflateRaw);

/** What a process publishes about itself. */
interface ProcessInfo extends Reach {
  readonly id: string;
  /** For how many minutes the process has been there: what it publishes changes with them. */
  readonly minutes: number;
  readonly store: string;
  /** The format of the rooms that it can play. */
  readonly form: string;
  /** Whether it takes over all rooms of dead processes, or only those that a client asks for. */
  readonly takesAll: boolean;
  /** Whether it lets newcomers in. */
  readonly admits: boolean;
}

/**
 * How long the seal of a process is valid once it is known: otherwise whoever gets the address of a dead process could
 * publish it again. Counted without wall time, which differs.
 */
const sealMsMax = 300_000;

/** Beyond this, the ends of bans and tokens are noticeably different. Redis may take some seconds to answer. */
const clockDifferenceMsMax = 10_000;

interface RedisJournalOptions {
  /** `redis://…`, `rediss://…` or `redis-sentinel://…`. */
  readonly url: string;
  /** How many replicas must have a write before it counts as kept. */
  readonly replicas: number;
  /** How long a process may be silent before others consider it dead, ms. */
  readonly leaseMs: number;
  /** How long after the death of their process rooms that nobody takes over are removed, ms. */
  readonly orphanMs: number;
  /** The address at which clients reach this process, for clients that ask another process. */
  readonly publicUrl: string | undefined;
  /** Signs what a process publishes about itself with the token secret. */
  readonly sealOf: (text: string) => string;
  /** By which processes notice that they keep saved data in different places. */
  readonly storeMark: string;
  /** Whether the rooms of dead processes are taken over immediately, or only when a client asks for one. */
  readonly takes: 'all' | 'asked';
  readonly listener: SharedListener;
  readonly onNotice: Observer['problem'];
  readonly machine: Pick<Machine, 'clock' | 'random'>;
  /** How many bytes of ticks are queued while nothing can be written; beyond that they are lost. Default 64 MB. */
  readonly waitingBytesMax?: number;
  /** Default: the package `@redis/client`, and asynchronous zlib. */
  readonly ports?: RedisPorts;
}

interface Waiting {
  readonly tick: number;
  readonly bytes: Uint8Array;
  readonly done: (outcome: WriteOutcome) => void;
}

/** A room that this process plays. */
interface OwnRoom {
  readonly identity: RoomIdentity;
  /** The fencing token. The database only accepts writes with the newest one. */
  token: number;
  /** Whether the database has lost a part of the room. Nothing is appended then until a snapshot recreates the room. */
  isDiverged: boolean;
  /** Whether another process has taken over the room. */
  isTaken: boolean;
  /** The number of attempts to recreate the room with a snapshot. */
  rounds: number;
  /** The newest tick that was acknowledged. */
  keptTick: number;
  waiting: Waiting[];
  /** Serializes the writes of snapshots. */
  snapshots: Promise<void>;
}

interface Batch {
  readonly room: OwnRoom;
  readonly ticks: readonly Waiting[];
}

/**
 * A journal in Redis, which several processes share. Each process has a lease; when it expires, others take over its
 * rooms, and its later writes are refused. Writes are batched: each takes everything that was appended during the
 * previous one, as one entry per room, so that a slow database gets fewer and larger writes.
 */
export class RedisJournal implements RoomJournal, SharedRooms {
  readonly stored: readonly StoredRoom[] = [];
  readonly shared = this;
  /** After a restart or a failover, Redis may lack the newest data. */
  readonly isLossy = true;
  readonly takeoverMs: number;
  readonly id: string;
  private inside: string | undefined;
  private readonly rooms = new Map<string, OwnRoom>();
  /** Rooms with waiting ticks. */
  private readonly dirty = new Set<OwnRoom>();
  /** Ended rooms that are still to be removed. */
  private readonly ending = new Map<string, { readonly token: number; readonly keepMs: number }>();
  /** Rooms that are being taken over by this process. */
  private readonly arriving = new Set<string>();
  private readonly texts = new Map<string, string>();
  /** Rooms of another version, and processes without a valid seal. Each is reported once. */
  private readonly foreign = new Set<string>();
  /** The newest minute that each process has sealed, and when that was first seen. */
  private readonly seals = new Map<string, { readonly minutes: number; readonly sinceMs: number }>();
  /** When processes were first seen without a lease. */
  private readonly goneSinceMs = new Map<string, number>();
  private waitingBytes = 0;
  private flight: Promise<void> | undefined;
  private retry: Timer | undefined;
  private nextBeat: Timer | undefined;
  private nextBeatMs: number;
  private beatDueMs = Number.POSITIVE_INFINITY;
  /** How late heartbeats have come, decaying, ms. */
  private lateMs = 0;
  /** When the last heartbeat succeeded. */
  private beatMs = Number.NEGATIVE_INFINITY;
  /** Since when all heartbeats have succeeded in time. */
  private presentSinceMs = Number.POSITIVE_INFINITY;
  /** Processes that left gracefully. */
  private left: ReadonlySet<string> = new Set();
  /** The forms of the rooms that other living processes play. */
  private forms: ReadonlySet<string | undefined> = new Set();
  private beating: Promise<void> | undefined;
  private taking: Promise<void> | undefined;
  private checking: Promise<void> | undefined;
  private textsBeatMs: number;
  private isFailing = false;
  private hasBegun = false;
  private isReleased = false;
  /** The last published list of rooms. */
  private published = '';
  private isClosed = false;

  private constructor(
    private readonly options: RedisJournalOptions,
    private readonly ports: RedisPorts,
    private readonly redis: RedisConnection,
  ) {
    this.id = randomDigits(options.machine, 8);
    this.nextBeatMs = options.leaseMs / beatsPerLease;
    this.textsBeatMs = options.machine.clock.now();
    this.takeoverMs = options.leaseMs * (1 + 2 / beatsPerLease) + 5000;
  }

  /** Rejects with `ServerError` if the database cannot be used. */
  static async open(options: RedisJournalOptions): Promise<RedisJournal> {
    let redis: RedisConnection | undefined;
    try {
      const { url, leaseMs, machine, replicas } = options;
      const ports = options.ports ?? { makeClient: await installedClient(), deflate, inflate };
      redis = new RedisConnection(ports.makeClient, url, leaseMs, scripts.allScripts, machine.clock, replicas);
      const journal = new RedisJournal(options, ports, redis);
      await journal.checkServer();
      await journal.beat();
      return journal;
    } catch (error) {
      redis?.end();
      if (error instanceof ServerError) throw error;
      throw new ServerError('bad-journal', messageOf(error));
    }
  }

  /** Does nothing: another process may need the definition, and unused ones expire. */
  async forgetDefinition(): Promise<void> {}

  async keepDefinition(version: string, text: string): Promise<void> {
    this.texts.set(version, text);
    await this.commit(scripts.keepText, [textKey(version)], [textMs, await this.ports.deflate(text)]);
  }

  async readDefinition(version: string): Promise<string | undefined> {
    const bytes = await this.run(scripts.readText, [textKey(version)]);
    if (!(bytes instanceof Uint8Array)) return undefined;
    const text = (await this.ports.inflate(bytes)).toString('utf8');
    this.texts.set(version, text);
    return text;
  }

  async keepRoom(identity: RoomIdentity, before?: () => Promise<void>): Promise<void> {
    const { id } = identity;
    // Called again after a failure: the next snapshot creates the room.
    if (this.rooms.has(id)) return;
    const room = ownRoom(identity, 1, 0);
    room.isDiverged = true;
    this.rooms.set(id, room);
    await before?.();
    const isNew = await this.commit(
      scripts.openRoom,
      [roomKeys(id).meta, roomsKey(this.id)],
      [this.id, form, frameOf(identity), id],
    );
    if (isNew !== 1) throw new Error(`A room "${id}" exists already.`);
    room.isDiverged = false;
  }

  append(id: string, record: TickRecord, done: (outcome: WriteOutcome) => void): void {
    const room = this.rooms.get(id);
    if (room === undefined) return;
    const bytes = frameOf(encodeRecord({ room: id, record }));
    room.waiting.push({ tick: record.tick, bytes, done });
    this.waitingBytes += bytes.length;
    this.dirty.add(room);
    const { waitingBytesMax = 64 * 1024 * 1024 } = this.options;
    if (this.waitingBytes > waitingBytesMax && this.isFailing) this.loseAll();
    else this.flush();
  }

  keepSnapshot(id: string, snapshot: RoomSnapshot): Promise<void> {
    const room = this.rooms.get(id);
    if (room === undefined) return Promise.resolve();
    const done = room.snapshots.then(() => this.keepNext(room, snapshot));
    room.snapshots = done.catch(() => {});
    return done;
  }

  private async keepNext(room: OwnRoom, snapshot: RoomSnapshot): Promise<void> {
    const { identity, token } = room;
    const { id, version } = identity;
    const bytes = await this.ports.deflate(frameOf(snapshot), { level: 1 });
    const { isDiverged } = room;
    const text = isDiverged ? this.texts.get(version) : undefined;
    if (text !== undefined) await this.keepDefinition(version, text);
    // The room may have ended in the meantime, and must not be recreated then.
    if (this.rooms.get(id) !== room || room.token !== token) return;
    const { meta, ticks, snapshots } = roomKeys(id);
    const verdict = await this.commit(
      scripts.keepSnapshot,
      [meta, ticks, snapshots, roomsKey(this.id)],
      [token, this.id, form, frameOf(identity), id, snapshot.tick, bytes, isDiverged ? ++room.rounds : 0],
    );
    if (this.rooms.get(id) !== room || room.token !== token) return;
    if (verdict === scripts.verdicts.fenced) this.giveUp(room);
    else if (verdict === scripts.verdicts.diverged) this.markDiverged(room);
    else {
      room.keptTick = Math.max(room.keptTick, snapshot.tick);
      if (!isDiverged) return;
      room.isDiverged = false;
      // The snapshot covers these ticks.
      const covered = room.waiting.filter(({ tick }) => tick <= snapshot.tick);
      room.waiting = room.waiting.filter(({ tick }) => tick > snapshot.tick);
      this.finish(covered, 'kept');
      this.flush();
    }
  }

  forget(id: string): Promise<void> {
    return this.remove(id, 0);
  }

  setAside(id: string): Promise<void> {
    return this.remove(id, setAsideMs);
  }

  incarnation(room: string): number {
    return this.rooms.get(room)?.token ?? 1;
  }

  async read(id: string): Promise<StoredRoom | undefined> {
    const room = this.rooms.get(id);
    if (room === undefined) return undefined;
    await this.settled();
    // The room continues from the written state, so waiting and pending writes are obsolete.
    const { waiting, token } = room;
    room.waiting = [];
    this.finish(waiting, 'lost');
    const next = await this.commit(scripts.retake, [roomKeys(id).meta], [token]);
    if (next === scripts.verdicts.fenced) this.giveUp(room);
    if (typeof next !== 'number' || next <= 0) return undefined;
    room.token = next;
    return this.load(id, next);
  }

  async history(id: string): Promise<StoredRoom | undefined> {
    await this.settled();
    return this.load(id);
  }

  /**
   * Waits for the current write and the next one, which contain everything that is waiting now. Waiting until there is
   * no write could take forever while rooms are played.
   */
  async settled(): Promise<void> {
    for (let writes = 0; writes < 2; writes++) await this.flight;
  }

  private async idle(): Promise<void> {
    while (this.flight !== undefined) await this.flight;
  }

  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    this.retry?.cancel();
    this.nextBeat?.cancel();
    await this.beating?.catch(() => {});
    await this.idle();
    for (const room of this.rooms.values()) this.finish(room.waiting.splice(0), 'lost');
    // A pending takeover ends with the connection; other processes will find its rooms.
    await this.leave().catch(() => {});
    this.redis.end();
  }

  private async leave(): Promise<void> {
    const keys = [processesKey, roomsKey(this.id), leaseKey(this.id), listPrefix + this.id, leftKey];
    await this.run(scripts.leave, keys, [this.id]);
  }

  // `SharedRooms`.

  async begin(): Promise<void> {
    this.hasBegun = true;
    await this.beat();
    await this.taking;
  }

  async release(): Promise<void> {
    this.isReleased = true;
    this.nextBeat?.cancel();
    await this.beating?.catch(() => {});
    await this.taking;
    await this.idle();
    for (const room of this.rooms.values()) this.finish(room.waiting.splice(0), 'lost');
    this.rooms.clear();
    this.dirty.clear();
    await this.leave();
  }

  get self(): Pick<ListedProcess, 'id' | 'url'> {
    return { id: this.id, url: this.options.publicUrl };
  }

  async reachable(inside: string): Promise<void> {
    this.inside = inside;
    // A heartbeat that is under way does not publish it.
    await this.beating?.catch(() => {});
    await this.beat();
  }

  async others(): Promise<number> {
    const said = await this.processes();
    return said.filter(({ info }) => info.id !== this.id && info.form === form && info.takesAll).length;
  }

  async publish(): Promise<void> {
    await this.publishRooms();
  }

  async listed(): Promise<readonly ListedProcess[]> {
    const said = await this.processes();
    return said.flatMap(({ info, rooms }) =>
      info.id === this.id ? [] : [{ id: info.id, ...reachOf(info), admits: info.admits, rooms }],
    );
  }

  /** The processes with a valid seal. Others get no players, requests or tokens, whoever has listed them. */
  private async processes() {
    type Row = readonly [id: Buffer, info: Buffer, rooms: Buffer];
    const rows = (await this.run(scripts.readProcesses, [processesKey], [leasePrefix, listPrefix])) as readonly Row[];
    return rows.flatMap(([id, sealed, rooms]) => {
      const info = this.unsealed(sealed, id.toString());
      return info === undefined ? [] : [{ info, rooms: readJson<readonly ListedRoom[]>(rooms) ?? [] }];
    });
  }

  private sealed(info: ProcessInfo): string {
    const text = JSON.stringify(info);
    return `${this.options.sealOf(text)} ${text}`;
  }

  /** Undefined without a valid seal of that process, which is reported. */
  private unsealed(sealed: Buffer, process: string): ProcessInfo | undefined {
    const { sealOf, onNotice, machine } = this.options;
    const [, seal, text = ''] = /^(\S+) (.*)$/s.exec(sealed.toString()) ?? [];
    const info = seal === sealOf(text) ? readJson<ProcessInfo>(text) : undefined;
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
    if (!this.foreign.has(process)) {
      this.foreign.add(process);
      const text = `Process ${process} is not signed with the token secret of this one, or was minutes ago, so nothing is forwarded to it. Start all processes with the same --token-secret-file and version.`;
      onNotice('secret-differs', text, { process });
    }
    return undefined;
  }

  async adopt(id: string): Promise<RoomLocation | undefined> {
    const place = await this.locate(id);
    const isGone = place !== undefined && !place.isAlive && !place.isOurs;
    if (isGone && this.isSurelyGone(place.process)) await this.take(id, place.process);
    return place;
  }

  async locate(id: string): Promise<(RoomLocation & { readonly process: string }) | undefined> {
    const place = (await this.run(scripts.locateRoom, [roomKeys(id).meta], [leasePrefix])) as
      | [owner: Buffer, info: Buffer | null]
      | null;
    if (place === null) return undefined;
    const [owner, info] = place;
    const process = owner.toString();
    const isOurs = process === this.id;
    const reach = reachOf(info === null ? undefined : this.unsealed(info, process));
    return { process, isOurs, isAlive: info !== null, reach };
  }

  /** Checks the configuration of Redis and of the other processes, and warns the operator of risks. */
  private async checkServer(): Promise<void> {
    const { onNotice, storeMark } = this.options;
    if ((await this.redis.info('cluster')).get('cluster_enabled') === '1') {
      throw new ServerError(
        'bad-journal',
        'Redis Cluster is not supported. Use a single Redis server, with or without replicas.',
      );
    }
    const [persistence, memory] = [await this.redis.info('persistence'), await this.redis.info('memory')];
    if (
      this.options.replicas === 0 &&
      Number((await this.redis.info('replication')).get('connected_slaves') ?? 0) > 0
    ) {
      onNotice(
        'journal-volatile',
        'Redis has a replica: if that becomes the primary, inputs that were acknowledged may be lost. Set --journal-replicas 1.',
      );
    }
    if (persistence.get('aof_enabled') !== '1') {
      onNotice(
        'journal-volatile',
        'Redis has no append-only file: after a restart of Redis, rooms only survive in their processes. Set appendonly yes.',
      );
    }
    const policy = memory.get('maxmemory_policy');
    if (policy !== undefined && policy !== 'noeviction') {
      onNotice(
        'journal-volatile',
        `Redis evicts keys when its memory is full (maxmemory-policy ${policy}). Set maxmemory-policy noeviction.`,
      );
    }
    const redisMs = Number((await this.redis.info('server')).get('server_time_usec')) / 1000;
    const aheadMs = this.options.machine.clock.date() - redisMs;
    // Redis before version 7 does not tell its time.
    if (Math.abs(aheadMs) > clockDifferenceMsMax) {
      onNotice(
        'clock-differs',
        `The clock of this machine is ${Math.round(Math.abs(aheadMs) / 1000)} s ${aheadMs > 0 ? 'ahead of' : 'behind'} that of Redis. Synchronise both (NTP).`,
      );
    }
    const others = await this.processes();
    if (others.some(({ info }) => info.store !== storeMark)) {
      onNotice(
        'store-differs',
        'Start all processes with the same --store. If they share a folder, pass it to each as --store file:FOLDER.',
      );
    }
  }

  private async beat(): Promise<void> {
    this.nextBeat?.cancel();
    // Only one heartbeat at a time.
    this.beating ??= this.beatOnce().finally(() => {
      this.beating = undefined;
    });
    await this.beating;
    if (this.isClosed || this.isReleased) return;
    this.nextBeat?.cancel();
    const { clock } = this.options.machine;
    this.beatDueMs = clock.now() + this.nextBeatMs;
    this.nextBeat = clock.after(this.nextBeatMs, () => void this.beat().catch(() => {}));
  }

  private async beatOnce(): Promise<void> {
    const { leaseMs, publicUrl: url, storeMark: store, takes, listener, machine } = this.options;
    const now = machine.clock.now();
    this.lateMs = Math.max(now - this.beatDueMs, this.lateMs * lateDecay);
    // Rooms of a process that has too little processor time are not taken from it: other processes on its machine are
    // no better off.
    const ownLeaseMs = Math.round(leaseMs + Math.min(beatsPerLease * this.lateMs, (leasesMax - 1) * leaseMs));
    const info: ProcessInfo = {
      id: this.id,
      minutes: Math.floor(now / 60_000),
      url,
      inside: this.inside,
      store,
      form,
      takesAll: takes === 'all',
      admits: listener.admits(),
    };
    const keys = [processesKey, leaseKey(this.id), roomsKey(this.id), leftKey];
    this.nextBeatMs = leaseMs / beatsPerLease;
    let said: readonly [
      missing: number,
      nextMs: number,
      gone: readonly Buffer[],
      own: readonly Buffer[],
      left: readonly Buffer[],
      infos: readonly (readonly [id: Buffer, sealed: Buffer])[],
    ];
    try {
      said = (await this.run(scripts.renewLease, keys, [
        this.id,
        ownLeaseMs,
        this.sealed(info),
        leasePrefix,
      ])) as typeof said;
    } catch (error) {
      if (!this.hasBegun) throw error;
      this.fail(error);
      return;
    }
    this.works();
    if (this.isClosed || this.isReleased) return;
    const [missing, nextMs, gone, own, left, infos] = said;
    this.left = new Set(left.map(String));
    this.recordPresence(missing === 1);
    this.forms = new Set(infos.map(([id, sealed]) => this.unsealed(sealed, id.toString())?.form));
    listener.newer([...this.forms].some((other) => other !== undefined && isNewer(versionOf(other), engineVersion)));
    void this.publishRooms();
    // Checks again when the next lease would expire.
    this.nextBeatMs = Math.min(this.nextBeatMs, nextMs + 5);
    if (missing === 1) this.checkAll();
    for (const { identity, isDiverged } of this.rooms.values()) if (isDiverged) this.options.listener.lost(identity.id);
    for (const [id, { token, keepMs }] of this.ending) void this.removeStored(id, token, keepMs).catch(() => {});
    if (this.options.machine.clock.now() - this.textsBeatMs > textBeatMs) this.extendTexts();
    this.recordGone(gone.map(String));
    const unplayed = own.map(String).filter((id) => !this.isKnown(id));
    const dead = gone.map(String).filter((id) => this.isSurelyGone(id));
    for (const id of gone) {
      const untilSure = this.untilSure(String(id));
      if (untilSure > 0) this.nextBeatMs = Math.min(this.nextBeatMs, untilSure + 5);
    }
    if (this.hasBegun && dead.length + unplayed.length > 0) {
      this.taking ??= Promise.all([this.takeFrom(dead), this.takeOwn(unplayed)])
        .then(() => {})
        .catch((error: unknown) => this.fail(error))
        .finally(() => {
          this.taking = undefined;
        });
    }
  }

  /** Records a successful heartbeat. `isMissed`: the own lease had expired. */
  private recordPresence(isMissed: boolean): void {
    const now = this.options.machine.clock.now();
    const intervalMs = this.options.leaseMs / beatsPerLease;
    // Without an answer for half a lease, others may have been unable to extend theirs.
    if (isMissed || now - this.beatMs > 2 * intervalMs) this.presentSinceMs = now;
    this.beatMs = now;
  }

  private recordGone(gone: readonly string[]): void {
    for (const id of this.goneSinceMs.keys()) if (!gone.includes(id)) this.goneSinceMs.delete(id);
    const now = this.options.machine.clock.now();
    for (const id of gone) if (!this.goneSinceMs.has(id)) this.goneSinceMs.set(id, now);
  }

  /**
   * The ms until a missing lease means that its process is dead: it had enough time to reconnect to Redis, or has been
   * gone as long.
   */
  private untilSure(process: string): number {
    const sinceMs = Math.min(this.presentSinceMs, this.goneSinceMs.get(process) ?? Number.POSITIVE_INFINITY);
    return Math.max(0, sinceMs + this.options.leaseMs * leasesToReturn - this.options.machine.clock.now());
  }

  /** Whether a process without a lease is certainly dead, or left gracefully. */
  private isSurelyGone(process: string): boolean {
    return this.left.has(process) || this.untilSure(process) === 0;
  }

  /** Publishes the list of rooms. After a failure it is published with the next heartbeat. */
  private async publishRooms(): Promise<void> {
    const { leaseMs, listener } = this.options;
    const list = JSON.stringify(listener.rooms());
    const changed = list === this.published ? [] : [list];
    this.published = list;
    const isThere = await this.run(scripts.publishRooms, [listPrefix + this.id], [leaseMs, ...changed]).catch(() => 0);
    if (isThere !== 1) this.published = '';
  }

  /**
   * Checks all rooms after the lease had expired or the database was unreachable: other processes may have taken them
   * over, or the database may have lost their newest ticks.
   */
  private checkAll(): void {
    this.checking ??= this.checkRooms()
      .catch((error: unknown) => this.fail(error))
      .finally(() => {
        this.checking = undefined;
      });
  }

  private async checkRooms(): Promise<void> {
    const rooms = [...this.rooms.values()].filter(({ isDiverged }) => !isDiverged);
    const tokens = rooms.map(({ token }) => token);
    const verdicts = await this.redis.ask((ask) =>
      Promise.all(
        rooms.map(({ identity, token, keptTick }) =>
          ask(scripts.checkRoom, [roomKeys(identity.id).meta], [token, keptTick]),
        ),
      ),
    );
    for (const [i, room] of rooms.entries()) {
      if (this.rooms.get(room.identity.id) !== room || room.token !== tokens[i]) continue;
      if (verdicts[i] === scripts.verdicts.fenced) this.giveUp(room);
      else if (verdicts[i] === scripts.verdicts.diverged) this.markDiverged(room);
    }
  }

  private extendTexts(): void {
    this.textsBeatMs = this.options.machine.clock.now();
    const versions = new Set(Array.from(this.rooms.values(), ({ identity }) => identity.version));
    for (const version of versions) void this.run(scripts.keepText, [textKey(version)], [textMs]).catch(() => {});
  }

  /**
   * Takes over the rooms of dead processes, as many as this one may open. Each process starts at a random room, because
   * others do the same at the same time.
   */
  private async takeFrom(processes: readonly string[]): Promise<void> {
    const now = this.options.machine.clock.now();
    for (const dead of processes) {
      const sinceMs = this.goneSinceMs.get(dead) ?? now;
      // Nobody had capacity for these rooms or asked for them; their players have long left.
      const isOrphaned = now - sinceMs > this.options.orphanMs;
      const keys = [processesKey, roomsKey(dead), leaseKey(dead), leftKey];
      const left = ((await this.run(scripts.roomsOf, keys, [dead])) as Buffer[]).map(String);
      const [high = 0, low = 0] = this.options.machine.random(2);
      const rooms = rotated(left.sort(), high * 256 + low);
      const takeNext = async (): Promise<void> => {
        for (let id = rooms.pop(); id !== undefined; id = rooms.pop()) {
          if (this.isClosed) return;
          if (isOrphaned) await this.removeOrphan(id, dead);
          else if (!this.options.listener.mayTake()) return;
          else if (await this.take(id, dead)) await this.removeOrphan(id, dead);
        }
      };
      await Promise.all(Array.from({ length: takeoversMax }, takeNext));
    }
  }

  private async removeOrphan(id: string, dead: string): Promise<void> {
    const token = await this.acquire(id, dead, '');
    if (typeof token === 'number' && token > 0) await this.removeStored(id, token, 0);
  }

  /** Returns the form of the room if that is not `wanted`. */
  private async acquire(id: string, dead: string, wanted: string): Promise<number | string> {
    const keys = [roomKeys(id).meta, leaseKey(dead), roomsKey(dead), roomsKey(this.id), processesKey];
    const token = await this.commit(scripts.takeRoom, keys, [dead, this.id, wanted, id]);
    return typeof token === 'number' ? token : String(token);
  }

  /** Takes a room over. Returns whether it is over instead: no process can continue its version. */
  private async take(id: string, dead: string): Promise<boolean> {
    let isOver = false;
    await this.receive(id, async () => {
      const token = await this.acquire(id, dead, form);
      if (typeof token === 'number') return token;
      // A process that left while none of its version was there has been replaced. One that crashed may be started
      // again.
      isOver = this.left.has(dead) && !this.forms.has(token);
      const fate = isOver
        ? 'so it has ended. What it saved for players is kept.'
        : 'and it is left to a process of that version.';
      if (isOver || !this.foreign.has(id))
        this.options.onNotice('journal-version', `Version ${versionOf(token)} wrote this room, ${fate}`, { room: id });
      this.foreign.add(id);
      return 0;
    });
    return isOver;
  }

  /**
   * Completes interrupted takeovers: rooms that belong to this process in the database but are not played here. No
   * other process can take them while this one is alive.
   */
  private async takeOwn(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      const keys = [roomKeys(id).meta, roomsKey(this.id)];
      await this.receive(id, async () => (await this.commit(scripts.ownToken, keys, [this.id, id])) as number);
    }
  }

  private isKnown(id: string): boolean {
    return this.rooms.has(id) || this.ending.has(id) || this.arriving.has(id);
  }

  /**
   * Receives a room. `ask` acquires it and returns its token. If a later step fails, `takeOwn` repeats it with a later
   * heartbeat.
   */
  private async receive(id: string, ask: () => Promise<number>): Promise<void> {
    if (this.isClosed || this.isKnown(id)) return;
    this.arriving.add(id);
    let stored: StoredRoom | undefined;
    try {
      const token = await ask();
      if (token <= 0) return;
      stored = await this.load(id, token);
      if (stored === undefined) {
        this.options.onNotice('journal-version', 'The room is damaged.', { room: id });
        await this.removeStored(id, token, setAsideMs);
        return;
      }
      this.rooms.set(id, ownRoom(stored.room, token, stored.ticks.at(-1)?.tick ?? stored.snapshot?.tick ?? 0));
    } finally {
      this.arriving.delete(id);
    }
    await this.options.listener.found(stored);
  }

  /**
   * Reads a room. Rejects if it does not have the token: a new connection may lead to a former primary, which lacks the
   * newest ticks.
   */
  private async load(id: string, token?: number): Promise<StoredRoom | undefined> {
    const { meta, ticks, snapshots } = roomKeys(id);
    type Entry = readonly [id: Buffer, fields: readonly Buffer[]];
    const found = (await this.run(scripts.readRoom, [meta, ticks, snapshots])) as
      | readonly [identity: Buffer, form: Buffer, token: number, snapshots: readonly Entry[], ticks: readonly Entry[]]
      | null;
    if (token !== undefined && found?.[2] !== token) throw new Error(`Redis lacks the newest state of room ${id}.`);
    if (found === null || found[1].toString() !== form) return undefined;
    const bytesOf = ([, fields]: Entry): Uint8Array => plainBytes(fields[1]!);
    const [room] = readFrames(plainBytes(found[0]), 0, isIdentity).messages;
    const newest = found[3].at(-1);
    const [snapshot] =
      newest === undefined
        ? []
        : readFrames(plainBytes(await this.ports.inflate(bytesOf(newest))), 0, isSnapshot).messages;
    if (room === undefined || (newest !== undefined && snapshot === undefined)) return undefined;
    const records = found[4].flatMap((entry) => readFrames(bytesOf(entry), 0, isRow).messages.map(decodeRecord));
    return storedRoom({ room, snapshot }, withoutReplacedTicks(records.map(({ record }) => record)));
  }

  // Writing.

  private flush(): void {
    if (this.flight !== undefined || this.retry !== undefined || this.isClosed) return;
    const batches: Batch[] = [];
    for (const room of this.dirty) {
      if (room.isDiverged) continue;
      this.dirty.delete(room);
      if (room.waiting.length > 0) batches.push({ room, ticks: room.waiting.splice(0) });
    }
    if (batches.length === 0) return;
    this.flight = this.write(batches).finally(() => {
      this.flight = undefined;
      this.flush();
    });
  }

  private async write(batches: readonly Batch[]): Promise<void> {
    let verdicts: readonly unknown[];
    try {
      const answers = await this.redis.commit((ask) =>
        Promise.all(
          portions(batches, scriptRoomsMax).map((portion) =>
            ask(
              scripts.append,
              portion.flatMap(({ room }) => appendKeys(room.identity.id)),
              portion.flatMap(({ room, ticks }) => [
                room.token,
                ticks[0]!.tick,
                ticks.at(-1)!.tick,
                joined(ticks.map(({ bytes }) => bytes)),
              ]),
            ),
          ),
        ),
      );
      verdicts = answers.flat();
    } catch (error) {
      // It may have been written nevertheless; writing it again is harmless.
      for (const batch of batches) this.putBack(batch);
      this.fail(error);
      return;
    }
    this.works();
    for (const [i, batch] of batches.entries()) this.settle(batch, verdicts[i]);
  }

  private settle(batch: Batch, verdict: unknown): void {
    const { room, ticks } = batch;
    if (verdict === scripts.verdicts.kept) {
      room.keptTick = Math.max(room.keptTick, ticks.at(-1)!.tick);
      this.finish(ticks, 'kept');
      return;
    }
    if (this.rooms.get(room.identity.id) !== room) {
      this.drop(room, ticks);
      return;
    }
    this.putBack(batch);
    if (verdict === scripts.verdicts.fenced) this.giveUp(room);
    else this.markDiverged(room);
  }

  private putBack({ room, ticks }: Batch): void {
    room.waiting = [...ticks, ...room.waiting];
    this.dirty.add(room);
  }

  private finish(ticks: readonly Waiting[], outcome: WriteOutcome): void {
    for (const { bytes, done } of ticks) {
      this.waitingBytes -= bytes.length;
      done(outcome);
    }
  }

  private markDiverged(room: OwnRoom): void {
    if (room.isDiverged) return;
    room.isDiverged = true;
    this.options.listener.lost(room.identity.id);
  }

  /** Drops a room that another process has taken over. */
  private giveUp(room: OwnRoom): void {
    const { id } = room.identity;
    room.isTaken = true;
    this.rooms.delete(id);
    this.dirty.delete(room);
    this.drop(room, room.waiting.splice(0));
    this.options.listener.taken(id);
  }

  /**
   * Drops ticks that will never be written. They count as lost, unless another process has taken over the room, which
   * plays its own ticks.
   */
  private drop({ isTaken }: OwnRoom, ticks: readonly Waiting[]): void {
    if (!isTaken) this.finish(ticks, 'lost');
    else for (const { bytes } of ticks) this.waitingBytes -= bytes.length;
  }

  private loseAll(): void {
    for (const room of this.rooms.values()) {
      this.finish(room.waiting.splice(0), 'lost');
      room.isDiverged = true;
    }
    this.options.listener.lost();
  }

  private fail(error: unknown): void {
    if (this.isClosed) return;
    const wasFailing = this.isFailing;
    this.isFailing = true;
    this.retry ??= this.options.machine.clock.after(retryMs, () => {
      this.retry = undefined;
      this.flush();
    });
    if (!wasFailing) this.options.listener.failing(messageOf(error));
  }

  private works(): void {
    if (!this.isFailing) return;
    this.isFailing = false;
    this.retry?.cancel();
    this.retry = undefined;
    this.options.listener.working();
    this.checkAll();
    this.flush();
  }

  private async remove(id: string, keepMs: number): Promise<void> {
    const room = this.rooms.get(id);
    if (room === undefined) return;
    this.rooms.delete(id);
    this.dirty.delete(room);
    this.finish(room.waiting.splice(0), 'lost');
    await this.removeStored(id, room.token, keepMs);
  }

  /** Removes the data of a room. After a failure, this is retried with each heartbeat. */
  private async removeStored(id: string, token: number, keepMs: number): Promise<void> {
    this.ending.set(id, { token, keepMs });
    const { meta, ticks, snapshots } = roomKeys(id);
    await this.commit(scripts.removeRoom, [meta, ticks, snapshots, roomsKey(this.id)], [token, id, keepMs]);
    this.ending.delete(id);
  }

  /** `run`, for scripts that write rooms. */
  private commit(script: RedisScript, keys: readonly string[], args: readonly Argument[] = []): Promise<unknown> {
    return this.redis.commit((ask) => ask(script, keys, args));
  }

  private run(script: RedisScript, keys: readonly string[], args: readonly Argument[] = []): Promise<unknown> {
    return this.redis.ask((ask) => ask(script, keys, args));
  }
}

function ownRoom(identity: RoomIdentity, token: number, keptTick: number): OwnRoom {
  const snapshots = Promise.resolve();
  return { identity, token, isDiverged: false, isTaken: false, rounds: 0, keptTick, waiting: [], snapshots };
}

function appendKeys(id: string): string[] {
  const { meta, ticks } = roomKeys(id);
  return [meta, ticks];
}

function portions<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, (i + 1) * size));
}

/** Whether a version, such as `1.10.0`, is newer than another. What follows the numbers does not count. */
function isNewer(version: string, than: string): boolean {
  const numbers = (text: string) => (/^[\d.]+/.exec(text)?.[0] ?? '').split('.').map(Number);
  const other = numbers(than);
  const differing = numbers(version).map((number, i) => number - (other[i] ?? 0));
  return (differing.find((difference) => difference !== 0) ?? 0) > 0;
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

/** The list rotated by a number of places. */
function rotated<T>(list: readonly T[], by: number): T[] {
  const start = list.length === 0 ? 0 : by % list.length;
  return [...list.slice(start), ...list.slice(0, start)];
}
