import { messageOf } from '../../../engine/core/index.ts';
import { randomDigits, type Timer } from '../../machine/index.ts';
import type { ListedProcess, RoomJournal, RoomLocation, SharedRooms, WriteOutcome } from '../journal.ts';
import { ServerError } from '../operator/codes.ts';
import type { RoomIdentity, RoomSnapshot, StoredRoom, TickRecord } from '../stored-room.ts';
import { RedisConnection } from './connection.ts';
import { checkDatabase } from './database-check.ts';
import { DefinitionTexts } from './definition-texts.ts';
import type { RedisJournalOptions } from './journal-options.ts';
import { beatsPerLease, Leases } from './leases.ts';
import { installedPorts, type RedisPorts } from './ports.ts';
import { ProcessDirectory } from './process-directory.ts';
import { RoomLog } from './room-log.ts';
import * as scripts from './scripts.ts';
import { StoredRooms } from './stored-rooms.ts';
import { setAsideMs, Takeovers } from './takeovers.ts';

/**
 * A journal in Redis that several processes share. Each process has a lease; when it expires, others take over the
 * process's rooms, and its later writes are refused. This class runs the heartbeat, which determines the order in which
 * the parts act.
 */
export class RedisJournal implements RoomJournal, SharedRooms {
  readonly stored: readonly StoredRoom[] = [];
  readonly shared = this;
  /** After a restart or a failover, Redis may lack the newest writes. */
  readonly isLossy = true;
  readonly takeoverMs: number;
  readonly self: Pick<ListedProcess, 'id' | 'url'>;
  private readonly definitions: DefinitionTexts;
  private readonly directory: ProcessDirectory;
  private readonly leases: Leases;
  private readonly rooms: StoredRooms;
  private readonly log: RoomLog;
  private readonly takeovers: Takeovers;
  private nextBeat: Timer | undefined;
  private beating: Promise<void> | undefined;
  private hasBegun = false;
  private isReleased = false;
  private isClosed = false;

  private constructor(
    private readonly options: RedisJournalOptions,
    private readonly redis: RedisConnection,
    ports: RedisPorts,
  ) {
    const { machine, leaseMs, publicUrl } = options;
    const id = randomDigits(machine, 8);
    this.self = { id, url: publicUrl };
    this.takeoverMs = leaseMs * (1 + 2 / beatsPerLease) + 5000;
    this.definitions = new DefinitionTexts(redis, ports, machine.clock);
    this.directory = new ProcessDirectory(id, redis, options);
    this.leases = new Leases(redis, this.directory, options);
    this.rooms = new StoredRooms(id, redis, ports.inflate);
    this.log = new RoomLog(id, redis, options, ports.deflate, this.rooms, this.definitions);
    this.takeovers = new Takeovers(id, redis, options, this.leases, this.rooms, this.log);
  }

  /** Opens the journal. Rejects with `ServerError` if the database cannot be used. */
  static async open(options: RedisJournalOptions): Promise<RedisJournal> {
    let redis: RedisConnection | undefined;
    try {
      const { url, leaseMs, machine, replicas, ports = await installedPorts() } = options;
      redis = new RedisConnection(ports.makeClient, url, leaseMs, scripts.allScripts, machine.clock, replicas);
      const journal = new RedisJournal(options, redis, ports);
      await checkDatabase(redis, options);
      await journal.directory.checkStores();
      await journal.beat();
      return journal;
    } catch (error) {
      redis?.end();
      if (error instanceof ServerError) throw error;
      throw new ServerError('bad-journal', messageOf(error));
    }
  }

  keepDefinition(version: string, text: string): Promise<void> {
    return this.definitions.keep(version, text);
  }

  readDefinition(version: string): Promise<string | undefined> {
    return this.definitions.read(version);
  }

  /** Does nothing: another process may need the definition, and unused ones expire. */
  async forgetDefinition(): Promise<void> {}

  keepRoom(identity: RoomIdentity, before?: () => Promise<void>): Promise<void> {
    return this.log.open(identity, before);
  }

  append(room: string, record: TickRecord, done: (outcome: WriteOutcome) => void) {
    this.log.append(room, record, done);
  }

  keepSnapshot(room: string, snapshot: RoomSnapshot): Promise<void> {
    return this.log.keepSnapshot(room, snapshot);
  }

  forget(room: string): Promise<void> {
    return this.log.remove(room, 0);
  }

  setAside(room: string): Promise<void> {
    return this.log.remove(room, setAsideMs);
  }

  incarnation(room: string): number {
    return this.log.incarnation(room);
  }

  read(room: string): Promise<StoredRoom | undefined> {
    return this.log.read(room);
  }

  async history(room: string): Promise<StoredRoom | undefined> {
    await this.settled();
    return this.rooms.read(room);
  }

  settled(): Promise<void> {
    return this.log.settled();
  }

  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    this.log.stop();
    this.takeovers.stop();
    await this.endBeats();
    await this.log.drain();
    // A pending takeover is abandoned when the connection ends; other processes will take over its rooms.
    await this.leases.leave().catch(() => {});
    this.redis.end();
  }

  // Methods of `SharedRooms`:

  async begin(): Promise<void> {
    this.hasBegun = true;
    await this.beat();
    await this.takeovers.settled();
  }

  async release(): Promise<void> {
    this.isReleased = true;
    await this.endBeats();
    await this.takeovers.settled();
    await this.log.drain();
    this.log.release();
    await this.leases.leave();
  }

  async reachable(inside: string): Promise<void> {
    this.directory.reachable(inside);
    // A heartbeat that is already running would not publish the URL, so it is followed by another one.
    await this.beating?.catch(() => {});
    await this.beat();
  }

  others(): Promise<number> {
    return this.directory.successors();
  }

  publish(): Promise<void> {
    return this.directory.publishRooms();
  }

  listed(): Promise<readonly ListedProcess[]> {
    return this.directory.others();
  }

  async adopt(room: string): Promise<RoomLocation | undefined> {
    const location = await this.directory.locate(room);
    if (location === undefined || location.isAlive || location.isOurs) return location;
    if (this.leases.isSurelyGone(location.process)) await this.takeovers.take(room, location.process);
    return location;
  }

  locate(room: string): Promise<RoomLocation | undefined> {
    return this.directory.locate(room);
  }

  // Heartbeats:

  private async beat() {
    this.nextBeat?.cancel();
    // Only one heartbeat runs at a time.
    this.beating ??= this.beatOnce().finally(() => {
      this.beating = undefined;
    });
    await this.beating;
    if (this.hasEnded) return;
    this.nextBeat?.cancel();
    this.nextBeat = this.options.machine.clock.after(this.leases.plan(), () => void this.beat().catch(() => {}));
  }

  private async beatOnce() {
    const { leases, log, directory } = this;
    const renewal = await leases.renew().catch((error: unknown) => {
      if (!this.hasBegun) throw error;
      log.fail(error);
      return undefined;
    });
    if (renewal === undefined) return;
    log.works();
    if (this.hasEnded) return;
    this.options.listener.newer(leases.isNewerThere);
    void directory.publishRooms();
    if (renewal.wasMissing) log.checkAll();
    log.remindOfLosses();
    this.rooms.retryRemovals();
    this.definitions.extend(log.versions);
    if (this.hasBegun) this.takeovers.start(renewal.dead, renewal.own);
  }

  private async endBeats() {
    this.nextBeat?.cancel();
    await this.beating?.catch(() => {});
  }

  private get hasEnded() {
    return this.isClosed || this.isReleased;
  }
}
