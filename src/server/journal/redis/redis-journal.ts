import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import { engineVersion } from '../../../../engine/core/version.ts';
import { frameOf, readFrames } from '../../../journal/frames.ts';
import { type OperatorCode, ServerError } from '../../base/codes.ts';
import type { Timer } from '../../machine/clock.ts';
import { type Machine, randomDigits } from '../../machine/machine.ts';
import type { RoomIdentity, RoomSnapshot, TickRecord } from '../../room/messages.ts';
import { inOrder, isIdentity, isRow, isSnapshot, joined, recordOf, rowOf, storedRoom } from '../forms.ts';
import type {
  Fate,
  ListedProcess,
  ListedRoom,
  RoomJournal,
  RoomPlace,
  SharedListener,
  SharedRooms,
  StoredRoom,
} from '../journal.ts';
import { type Argument, type ClientMaker, installedClient, RedisConnection, type Script } from './connection.ts';
import { leaseKey, leasePrefix, leftKey, listPrefix, processesKey, roomKeys, roomsKey, textKey } from './names.ts';
import * as scripts from './scripts.ts';

/** Of what stands in the streams. Rooms of another form, or of another engine, are left to processes that know it. */
const form = `1/${engineVersion}`;
const retryMs = 1000;
/** A lease is lengthened so many times before it would run out. */
const beatsPerLease = 4;
/**
 * A process that has just come to Redis, for the first time or again, leaves expired leases alone for so many leases. While Redis was gone nobody could
 * lengthen one, so that they say nothing of who lives. A question that hangs is given up after a lease, and the next sign of life follows.
 */
const leasesToReturn = 1.25;
/** Rooms of a dead process that are taken over side by side. */
const takenTogether = 4;
/** Rooms that are set aside, and definitions that no room plays any more, are removed after this. */
const lookMs = 7 * 24 * 3600 * 1000;
const textMs = 30 * 24 * 3600 * 1000;
const textBeatMs = 24 * 3600 * 1000;

/** The parts of a journal over Redis that work outside of it. */
export interface RedisPorts {
  readonly makeClient: ClientMaker;
  deflate(bytes: Uint8Array | string, options?: { readonly level: number }): Promise<Buffer>;
  inflate(bytes: Uint8Array): Promise<Buffer>;
}

const deflate = promisify<Uint8Array | string, { level?: number } | undefined, Buffer>((bytes, options, done) =>
  deflateRaw(bytes, options ?? {}, done),
);
const inflate = promisify<Uint8Array, Buffer>(inflateRaw);

/** The data of a process that other processes can read. */
interface ProcessInfo {
  readonly url: string | undefined;
  readonly secret: string;
  /** Of the rooms that it can play. */
  readonly form: string;
  /** Whether it takes over what it finds, or only rooms that somebody asks for. */
  readonly takesAll: boolean;
}

interface RedisJournalOptions {
  /** `redis://…` or `rediss://…`. */
  readonly url: string;
  /** After so long without a sign of it, ms, others take a process for dead. */
  readonly leaseMs: number;
  /** Rooms whose process has been gone for so long, ms, and that no process has taken over, are removed. */
  readonly orphanMs: number;
  /** Where clients reach this process, for those that ask another. */
  readonly publicUrl: string | undefined;
  /** A digest that distinguishes the secrets of tokens and does not reveal them. */
  readonly secretMark: string;
  /** Rooms whose process is gone are taken over at once, or when somebody asks for one. */
  readonly takes: 'all' | 'asked';
  readonly listener: SharedListener;
  readonly onNotice: (code: OperatorCode, message: string) => void;
  readonly machine: Pick<Machine, 'clock' | 'random'>;
  /** Ticks of all rooms that wait while nothing can be written; beyond it they are lost. 64 MB by default. */
  readonly waitingBytesMax?: number;
  /** Those of this machine by default: the package `@redis/client`, and zlib in its threads. */
  readonly ports?: RedisPorts;
}

interface Waiting {
  readonly tick: number;
  readonly bytes: Uint8Array;
  readonly done: (fate: Fate) => void;
}

/** A room that this process plays. */
interface OwnRoom {
  readonly identity: RoomIdentity;
  /** The database accepts writes under the newest token alone. */
  token: number;
  /** The database has lost a part of the room: nothing is appended until a snapshot makes the room anew. */
  isAdrift: boolean;
  /** Another process has it. */
  isTaken: boolean;
  /** How often a snapshot has set out to make it anew. */
  rounds: number;
  /** The newest tick that was said to be kept. */
  keptTick: number;
  waiting: Waiting[];
  /** Snapshots are kept one after the other. */
  snapshots: Promise<void>;
}

interface Batch {
  readonly room: OwnRoom;
  readonly ticks: readonly Waiting[];
}

/**
 * Rooms in Redis, to which several processes write. Each process has a lease; when that runs out, others take its rooms over, and its later
 * writes are refused. The next write takes everything that came during the one before, one entry for each room. So no tick
 * waits, and a slow database is asked less often.
 */
export class RedisJournal implements RoomJournal, SharedRooms {
  readonly stored: readonly StoredRoom[] = [];
  readonly shared = this;
  /** Redis may be restarted with older data, and a replica lacks the newest. */
  readonly isLossy = true;
  readonly takeoverMs: number;
  readonly id: string;
  private readonly options: RedisJournalOptions;
  private readonly ports: RedisPorts;
  private readonly redis: RedisConnection;
  private readonly rooms = new Map<string, OwnRoom>();
  /** Rooms with something that waits. */
  private readonly dirty = new Set<OwnRoom>();
  /** Rooms that ended and are still to be removed. */
  private readonly ending = new Map<string, { readonly token: number; readonly keepMs: number }>();
  /** Rooms that are on their way to this process. */
  private readonly arriving = new Set<string>();
  private readonly texts = new Map<string, string>();
  /** Rooms of another version, each reported once. */
  private readonly foreign = new Set<string>();
  private readonly goneSinceMs = new Map<string, number>();
  private waitingBytes = 0;
  private flight: Promise<void> | undefined;
  private retry: Timer | undefined;
  private nextBeat: Timer | undefined;
  private nextBeatMs: number;
  /** When Redis last took a sign of life of this process, and since when it has taken them in time. */
  private beatMs = Number.NEGATIVE_INFINITY;
  private presentSinceMs = Number.POSITIVE_INFINITY;
  /** Processes that have ended in good order. */
  private left: ReadonlySet<string> = new Set();
  private beating: Promise<void> | undefined;
  private taking: Promise<void> | undefined;
  private checking: Promise<void> | undefined;
  private textsBeatMs: number;
  private isFailing = false;
  private hasBegun = false;
  private isReleased = false;
  /** The list of rooms that was last published. */
  private published = '';
  private isClosed = false;

  private constructor(options: RedisJournalOptions, ports: RedisPorts, redis: RedisConnection) {
    this.options = options;
    this.ports = ports;
    this.redis = redis;
    this.id = randomDigits(options.machine, 8);
    this.nextBeatMs = options.leaseMs / beatsPerLease;
    this.textsBeatMs = options.machine.clock.now();
    this.takeoverMs = options.leaseMs * (1 + 2 / beatsPerLease) + 5000;
  }

  /** Throws `ServerError` where the database cannot be used. */
  static async open(options: RedisJournalOptions): Promise<RedisJournal> {
    let redis: RedisConnection | undefined;
    try {
      const { url, leaseMs, machine } = options;
      const ports = options.ports ?? { makeClient: await installedClient(), deflate, inflate };
      redis = new RedisConnection(ports.makeClient, url, leaseMs, scripts.allScripts, machine.clock);
      const journal = new RedisJournal(options, ports, redis);
      await journal.lookAround();
      await journal.beat();
      return journal;
    } catch (error) {
      redis?.end();
      if (error instanceof ServerError) throw error;
      throw new ServerError('bad-journal', messageOf(error));
    }
  }

  /** It goes by itself: another process may play it. */
  async forgetDefinition(): Promise<void> {}

  async keepDefinition(version: string, text: string): Promise<void> {
    this.texts.set(version, text);
    await this.run(scripts.keepText, [textKey(version)], [textMs, await this.ports.deflate(text)]);
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
    // The next snapshot makes it anew.
    if (this.rooms.has(id)) return;
    const room = ownRoom(identity, 1, 0);
    room.isAdrift = true;
    this.rooms.set(id, room);
    await before?.();
    const isNew = await this.run(
      scripts.openRoom,
      [roomKeys(id).meta, roomsKey(this.id)],
      [this.id, form, frameOf(identity), id],
    );
    if (isNew !== 1) throw new Error(`There is a room "${id}" already.`);
    room.isAdrift = false;
  }

  append(id: string, record: TickRecord, done: (fate: Fate) => void): void {
    const room = this.rooms.get(id);
    if (room === undefined) return;
    const bytes = frameOf(rowOf({ room: id, record }));
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
    const { isAdrift } = room;
    const text = isAdrift ? this.texts.get(version) : undefined;
    if (text !== undefined) await this.keepDefinition(version, text);
    // It may have ended meanwhile, and must not be made anew then.
    if (this.rooms.get(id) !== room || room.token !== token) return;
    const { meta, ticks, snapshots } = roomKeys(id);
    const verdict = await this.run(
      scripts.keepSnapshot,
      [meta, ticks, snapshots, roomsKey(this.id)],
      [token, this.id, form, frameOf(identity), id, snapshot.tick, bytes, isAdrift ? ++room.rounds : 0],
    );
    if (this.rooms.get(id) !== room || room.token !== token) return;
    if (verdict === scripts.verdicts.fenced) this.giveUp(room);
    else if (verdict === scripts.verdicts.adrift) this.drift(room);
    else {
      room.keptTick = Math.max(room.keptTick, snapshot.tick);
      if (!isAdrift) return;
      room.isAdrift = false;
      // Ticks up to the snapshot are not needed.
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
    return this.remove(id, lookMs);
  }

  life(room: string): number {
    return this.rooms.get(room)?.token ?? 1;
  }

  async read(id: string): Promise<StoredRoom | undefined> {
    const room = this.rooms.get(id);
    if (room === undefined) return undefined;
    await this.settled();
    // The room goes on from the written state. Waiting writes, and those on their way, are of a play that is given up.
    const { waiting, token } = room;
    room.waiting = [];
    this.finish(waiting, 'lost');
    const next = await this.run(scripts.retake, [roomKeys(id).meta], [token]);
    if (next === scripts.verdicts.fenced) this.giveUp(room);
    if (typeof next !== 'number' || next <= 0) return undefined;
    room.token = next;
    return this.load(id);
  }

  async history(id: string): Promise<StoredRoom | undefined> {
    await this.settled();
    return this.load(id);
  }

  /** Records that wait now go with the write that is under way, or with the next one. Rooms that play may leave no moment without a write. */
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
    // A takeover that is under way ends with the connection; what it took is found by others.
    await this.leave().catch(() => {});
    this.redis.end();
  }

  private async leave(): Promise<void> {
    const keys = [processesKey, roomsKey(this.id), leaseKey(this.id), listPrefix + this.id, leftKey];
    await this.run(scripts.leave, keys, [this.id]);
  }

  // Several processes.

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

  async others(): Promise<number> {
    const said = await this.processes();
    return said.filter(({ id, info }) => id !== this.id && info?.form === form && info.takesAll).length;
  }

  async listed(): Promise<readonly ListedProcess[]> {
    const said = await this.processes();
    return said.flatMap(({ id, info, rooms }) => (id === this.id ? [] : [{ id, url: info?.url, rooms }]));
  }

  private async processes() {
    type Row = readonly [id: Buffer, info: Buffer, rooms: Buffer];
    const rows = (await this.run(scripts.readProcesses, [processesKey], [leasePrefix, listPrefix])) as readonly Row[];
    return rows.map(([id, info, rooms]) => ({
      id: id.toString(),
      info: readJson<ProcessInfo>(info),
      rooms: readJson<readonly ListedRoom[]>(rooms) ?? [],
    }));
  }

  async adopt(id: string): Promise<RoomPlace | undefined> {
    const place = await this.locate(id);
    const isGone = place !== undefined && !place.isAlive && !place.isOurs;
    if (isGone && this.isSurelyGone(place.process)) await this.take(id, place.process);
    return place;
  }

  async locate(id: string): Promise<(RoomPlace & { readonly process: string }) | undefined> {
    const place = (await this.run(scripts.locateRoom, [roomKeys(id).meta], [leasePrefix])) as
      | [owner: Buffer, info: Buffer | null]
      | null;
    if (place === null) return undefined;
    const [owner, info] = place;
    const process = owner.toString();
    const isOurs = process === this.id;
    const url = info === null ? undefined : readJson<ProcessInfo>(info)?.url;
    return { process, isOurs, isAlive: info !== null, url };
  }

  /** Warnings for the operator before the fault matters. */
  private async lookAround(): Promise<void> {
    const { onNotice, secretMark } = this.options;
    if ((await this.redis.info('cluster')).get('cluster_enabled') === '1') {
      throw new ServerError('bad-journal', 'This is a Redis Cluster. Rooms need one Redis, with or without replicas.');
    }
    const [persistence, memory] = [await this.redis.info('persistence'), await this.redis.info('memory')];
    if (persistence.get('aof_enabled') !== '1') {
      onNotice(
        'journal-volatile',
        'Redis has no append-only file: when it is restarted, rooms live on in their processes alone.',
      );
    }
    const policy = memory.get('maxmemory_policy');
    if (policy !== undefined && policy !== 'noeviction') {
      onNotice(
        'journal-volatile',
        `Redis drops keys when it is full (maxmemory-policy ${policy}); noeviction is needed.`,
      );
    }
    const others = await this.processes();
    if (others.some(({ info }) => info?.secret !== secretMark)) {
      onNotice('secret-differs', 'Give all processes one --token-secret-file.');
    }
  }

  private async beat(): Promise<void> {
    this.nextBeat?.cancel();
    // Also of a beat that is under way: one at a time.
    this.beating ??= this.beatOnce().finally(() => {
      this.beating = undefined;
    });
    await this.beating;
    if (this.isClosed || this.isReleased) return;
    this.nextBeat?.cancel();
    this.nextBeat = this.options.machine.clock.after(this.nextBeatMs, () => void this.beat().catch(() => {}));
  }

  private async beatOnce(): Promise<void> {
    const { leaseMs, publicUrl: url, secretMark: secret, takes } = this.options;
    const info: ProcessInfo = { url, secret, form, takesAll: takes === 'all' };
    const keys = [processesKey, leaseKey(this.id), roomsKey(this.id), leftKey];
    this.nextBeatMs = leaseMs / beatsPerLease;
    let said: readonly [
      missing: number,
      nextMs: number,
      gone: readonly Buffer[],
      own: readonly Buffer[],
      left: readonly Buffer[],
    ];
    try {
      said = (await this.run(scripts.beat, keys, [this.id, leaseMs, JSON.stringify(info), leasePrefix])) as typeof said;
    } catch (error) {
      if (!this.hasBegun) throw error;
      this.fail(error);
      return;
    }
    this.works();
    if (this.isClosed || this.isReleased) return;
    const [missing, nextMs, gone, own, left] = said;
    this.left = new Set(left.map(String));
    this.notePresence(missing === 1);
    void this.publishRooms();
    // A lease that was not lengthened in time is looked at again when it runs out.
    this.nextBeatMs = Math.min(this.nextBeatMs, nextMs + 5);
    if (missing === 1) this.checkAll();
    for (const { identity, isAdrift } of this.rooms.values()) if (isAdrift) this.options.listener.lost(identity.id);
    for (const [id, { token, keepMs }] of this.ending) void this.removeKept(id, token, keepMs).catch(() => {});
    if (this.options.machine.clock.now() - this.textsBeatMs > textBeatMs) this.keepTextsOn();
    const unplayed = own.map(String).filter((id) => !this.isKnown(id));
    const dead = gone.map(String).filter((id) => this.isSurelyGone(id));
    if (dead.length < gone.length) this.nextBeatMs = Math.min(this.nextBeatMs, this.untilSure() + 5);
    if (this.hasBegun && dead.length + unplayed.length > 0) {
      this.taking ??= Promise.all([this.takeFrom(dead), this.takeOwn(unplayed)])
        .then(() => {})
        .catch((error: unknown) => this.fail(error))
        .finally(() => {
          this.taking = undefined;
        });
    }
  }

  /** `isMissed`: the own lease had run out. */
  private notePresence(isMissed: boolean): void {
    const now = this.options.machine.clock.now();
    const intervalMs = this.options.leaseMs / beatsPerLease;
    // Half of a lease without an answer can be the end of another one.
    if (isMissed || now - this.beatMs > 2 * intervalMs) this.presentSinceMs = now;
    this.beatMs = now;
  }

  /** ms until expired leases say that their processes are gone. */
  private untilSure(): number {
    const sureMs = this.presentSinceMs + this.options.leaseMs * leasesToReturn;
    return Math.max(0, sureMs - this.options.machine.clock.now());
  }

  /** Of a process without a lease: whether it left, or had the time to come back to a Redis that was gone. */
  private isSurelyGone(process: string): boolean {
    return this.left.has(process) || this.untilSure() === 0;
  }

  /** A list that cannot be published now is published with the next beat. */
  private async publishRooms(): Promise<void> {
    const { leaseMs, listener } = this.options;
    const list = JSON.stringify(listener.rooms());
    const changed = list === this.published ? [] : [list];
    this.published = list;
    const isThere = await this.run(scripts.publishRooms, [listPrefix + this.id], [leaseMs, ...changed]).catch(() => 0);
    if (isThere !== 1) this.published = '';
  }

  /** The lease had run out, or the database was gone: rooms may be another's by now, or have lost their newest ticks. */
  private checkAll(): void {
    this.checking ??= this.checkRooms()
      .catch((error: unknown) => this.fail(error))
      .finally(() => {
        this.checking = undefined;
      });
  }

  private async checkRooms(): Promise<void> {
    const rooms = [...this.rooms.values()].filter(({ isAdrift }) => !isAdrift);
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
      else if (verdicts[i] === scripts.verdicts.adrift) this.drift(room);
    }
  }

  private keepTextsOn(): void {
    this.textsBeatMs = this.options.machine.clock.now();
    const versions = new Set(Array.from(this.rooms.values(), ({ identity }) => identity.version));
    for (const version of versions) void this.run(scripts.keepText, [textKey(version)], [textMs]).catch(() => {});
  }

  /** Many processes may be at it: each begins somewhere else, and takes what it finds as long as it has places. */
  private async takeFrom(processes: readonly string[]): Promise<void> {
    const now = this.options.machine.clock.now();
    for (const id of this.goneSinceMs.keys()) if (!processes.includes(id)) this.goneSinceMs.delete(id);
    for (const dead of processes) {
      const sinceMs = this.goneSinceMs.get(dead) ?? now;
      this.goneSinceMs.set(dead, sinceMs);
      // There is no place for them, or no player has asked: their players have left.
      const isGivenUp = now - sinceMs > this.options.orphanMs;
      const keys = [processesKey, roomsKey(dead), leaseKey(dead), leftKey];
      const left = ((await this.run(scripts.roomsOf, keys, [dead])) as Buffer[]).map(String);
      const [high = 0, low = 0] = this.options.machine.random(2);
      const rooms = rotated(left.sort(), high * 256 + low);
      const takeNext = async (): Promise<void> => {
        for (let id = rooms.pop(); id !== undefined; id = rooms.pop()) {
          if (this.isClosed) return;
          if (isGivenUp) await this.giveUpOrphan(id, dead);
          else if (this.options.listener.mayTake()) await this.take(id, dead);
          else return;
        }
      };
      await Promise.all(Array.from({ length: takenTogether }, takeNext));
    }
  }

  private async giveUpOrphan(id: string, dead: string): Promise<void> {
    const token = await this.askFor(id, dead);
    if (token > 0) await this.removeKept(id, token, 0);
  }

  private async askFor(id: string, dead: string): Promise<number> {
    const keys = [roomKeys(id).meta, leaseKey(dead), roomsKey(dead), roomsKey(this.id), processesKey];
    return (await this.run(scripts.takeRoom, keys, [dead, this.id, form, id])) as number;
  }

  private take(id: string, dead: string): Promise<void> {
    return this.receive(id, () => this.askFor(id, dead));
  }

  /**
   * Rooms that are this process's in the database, and that it does not play. A takeover was interrupted behind its first step, or the answer to that
   * step was lost. While this process lives, no other can take them.
   */
  private async takeOwn(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      const keys = [roomKeys(id).meta, roomsKey(this.id)];
      await this.receive(id, async () => (await this.run(scripts.ownToken, keys, [this.id, id])) as number);
    }
  }

  private isKnown(id: string): boolean {
    return this.rooms.has(id) || this.ending.has(id) || this.arriving.has(id);
  }

  /** `ask` makes a room this process's, and gives its token. A failure behind that is repaired with a later beat. */
  private async receive(id: string, ask: () => Promise<number>): Promise<void> {
    if (this.isClosed || this.isKnown(id)) return;
    this.arriving.add(id);
    let stored: StoredRoom | undefined;
    try {
      const token = await ask();
      if (token === -1 && !this.foreign.has(id)) {
        this.foreign.add(id);
        this.options.onNotice('journal-version', `${id} is left to a process of the version that wrote it.`);
      }
      if (token <= 0) return;
      stored = await this.load(id);
      if (stored === undefined) {
        this.options.onNotice('journal-version', `${id} is damaged.`);
        await this.removeKept(id, token, lookMs);
        return;
      }
      this.rooms.set(id, ownRoom(stored.room, token, stored.ticks.at(-1)?.tick ?? stored.snapshot?.tick ?? 0));
    } finally {
      this.arriving.delete(id);
    }
    await this.options.listener.found(stored);
  }

  private async load(id: string): Promise<StoredRoom | undefined> {
    const { meta, ticks, snapshots } = roomKeys(id);
    type Entry = readonly [id: Buffer, fields: readonly Buffer[]];
    const found = (await this.run(scripts.readRoom, [meta, ticks, snapshots])) as
      | readonly [identity: Buffer, form: Buffer, snapshots: readonly Entry[], ticks: readonly Entry[]]
      | null;
    if (found === null || found[1].toString() !== form) return undefined;
    const bytesOf = ([, fields]: Entry): Uint8Array => plain(fields[1]!);
    const [room] = readFrames(plain(found[0]), 0, isIdentity).messages;
    const newest = found[2].at(-1);
    const [snapshot] =
      newest === undefined ? [] : readFrames(plain(await this.ports.inflate(bytesOf(newest))), 0, isSnapshot).messages;
    if (room === undefined || (newest !== undefined && snapshot === undefined)) return undefined;
    const records = found[3].flatMap((entry) => readFrames(bytesOf(entry), 0, isRow).messages.map(recordOf));
    return storedRoom({ room, snapshot }, inOrder(records.map(({ record }) => record)));
  }

  // Writing.

  private flush(): void {
    if (this.flight !== undefined || this.retry !== undefined || this.isClosed) return;
    const batches: Batch[] = [];
    for (const room of this.dirty) {
      if (room.isAdrift) continue;
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
      verdicts = await this.redis.ask((ask) =>
        Promise.all(
          batches.map(({ room: { identity, token }, ticks }) =>
            ask(scripts.append, appendKeys(identity.id), [
              token,
              ticks[0]!.tick,
              ticks.at(-1)!.tick,
              joined(ticks.map(({ bytes }) => bytes)),
            ]),
          ),
        ),
      );
    } catch (error) {
      // It may have been written for all that: written again it changes nothing.
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
    else this.drift(room);
  }

  private putBack({ room, ticks }: Batch): void {
    room.waiting = [...ticks, ...room.waiting];
    this.dirty.add(room);
  }

  private finish(ticks: readonly Waiting[], fate: Fate): void {
    for (const { bytes, done } of ticks) {
      this.waitingBytes -= bytes.length;
      done(fate);
    }
  }

  private drift(room: OwnRoom): void {
    if (room.isAdrift) return;
    room.isAdrift = true;
    this.options.listener.lost(room.identity.id);
  }

  /** Another process has it. */
  private giveUp(room: OwnRoom): void {
    const { id } = room.identity;
    room.isTaken = true;
    this.rooms.delete(id);
    this.dirty.delete(room);
    this.drop(room, room.waiting.splice(0));
    this.options.listener.taken(id);
  }

  /** Ticks that will never be written. Those of a room that another process has are not reported: here nothing happened. */
  private drop({ isTaken }: OwnRoom, ticks: readonly Waiting[]): void {
    if (!isTaken) this.finish(ticks, 'lost');
    else for (const { bytes } of ticks) this.waitingBytes -= bytes.length;
  }

  private loseAll(): void {
    for (const room of this.rooms.values()) {
      this.finish(room.waiting.splice(0), 'lost');
      room.isAdrift = true;
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
    await this.removeKept(id, room.token, keepMs);
  }

  /** Where that fails, it is tried again with each beat. */
  private async removeKept(id: string, token: number, keepMs: number): Promise<void> {
    this.ending.set(id, { token, keepMs });
    const { meta, ticks, snapshots } = roomKeys(id);
    await this.run(scripts.removeRoom, [meta, ticks, snapshots, roomsKey(this.id)], [token, id, keepMs]);
    this.ending.delete(id);
  }

  private run(script: Script, keys: readonly string[], args: readonly Argument[] = []): Promise<unknown> {
    return this.redis.ask((ask) => ask(script, keys, args));
  }
}

function ownRoom(identity: RoomIdentity, token: number, keptTick: number): OwnRoom {
  const snapshots = Promise.resolve();
  return { identity, token, isAdrift: false, isTaken: false, rounds: 0, keptTick, waiting: [], snapshots };
}

function appendKeys(id: string): string[] {
  const { meta, ticks } = roomKeys(id);
  return [meta, ticks];
}

function plain({ buffer, byteOffset, length }: Buffer): Uint8Array {
  return new Uint8Array(buffer as ArrayBuffer, byteOffset, length);
}

function readJson<T>(bytes: Buffer): T | undefined {
  try {
    return JSON.parse(bytes.toString()) as T;
  } catch {
    return undefined;
  }
}

/** In an order that follows from a number. */
function rotated<T>(list: readonly T[], by: number): T[] {
  const start = list.length === 0 ? 0 : by % list.length;
  return [...list.slice(start), ...list.slice(0, start)];
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
