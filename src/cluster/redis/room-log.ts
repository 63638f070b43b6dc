import { messageOf } from '../../../engine/core/index.ts';
import { frameOf } from '../../journal/index.ts';
import type { Timer } from '../../machine/index.ts';
import type { WriteOutcome } from '../journal.ts';
import { encodeRecord, joined } from '../stored-forms.ts';
import type { RoomIdentity, RoomSnapshot, StoredRoom, TickRecord } from '../stored-room.ts';
import type { RedisConnection } from './connection.ts';
import type { DefinitionTexts } from './definition-texts.ts';
import type { RedisJournalOptions } from './journal-options.ts';
import { metaKey, roomKeys, roomsKey, ticksKey } from './names.ts';
import type { RedisPorts } from './ports.ts';
import { roomForm } from './room-form.ts';
import * as scripts from './scripts.ts';
import type { StoredRooms } from './stored-rooms.ts';

const retryMs = 1000;
/** The maximum number of rooms that one script writes, because Redis runs nothing else in the meantime. */
const scriptRoomsMax = 256;

interface Waiting {
  readonly tick: number;
  readonly bytes: Uint8Array;
  readonly done: (outcome: WriteOutcome) => void;
}

/** A room that this process plays. */
class OwnRoom {
  /** Whether the database has lost a part of the room. Until a snapshot recreates the room, nothing is appended. */
  isDiverged = false;
  /** Whether another process has taken over the room. */
  isTaken = false;
  /** The number of attempts to recreate the room with a snapshot. */
  rounds = 0;
  waiting: Waiting[] = [];
  /** Serializes the writes of snapshots. */
  snapshots: Promise<void> = Promise.resolve();

  constructor(
    readonly identity: RoomIdentity,
    /** The fencing token. The database accepts only writes with the newest token. */
    public token: number,
    /** The newest tick that was acknowledged. */
    public keptTick: number,
  ) {}
}

interface Batch {
  readonly room: OwnRoom;
  readonly ticks: readonly Waiting[];
}

/**
 * Writes the rooms that this process plays. Writes are batched: each takes everything that was appended during the
 * previous one, as one entry per room, so that a slow database gets fewer but larger writes.
 */
export class RoomLog {
  private readonly rooms = new Map<string, OwnRoom>();
  /** The rooms that have ticks to be written. */
  private readonly dirty = new Set<OwnRoom>();
  private waitingBytes = 0;
  private flight: Promise<void> | undefined;
  private retry: Timer | undefined;
  private checking: Promise<void> | undefined;
  private isFailing = false;
  private hasStopped = false;

  constructor(
    private readonly process: string,
    private readonly redis: RedisConnection,
    private readonly options: RedisJournalOptions,
    private readonly deflate: RedisPorts['deflate'],
    private readonly stored: StoredRooms,
    private readonly definitions: DefinitionTexts,
  ) {}

  has(id: string): boolean {
    return this.rooms.has(id);
  }

  /** The versions of the definitions that the rooms play. */
  get versions(): ReadonlySet<string> {
    return new Set(Array.from(this.rooms.values(), ({ identity }) => identity.version));
  }

  async open(identity: RoomIdentity, before?: () => Promise<void>): Promise<void> {
    const { id } = identity;
    // This room was added by an earlier call, which failed. Its next snapshot creates the room in the database.
    if (this.rooms.has(id)) return;
    const room = new OwnRoom(identity, 1, 0);
    room.isDiverged = true;
    this.rooms.set(id, room);
    await before?.();
    const isNew = await this.redis.write(
      scripts.openRoom,
      [metaKey(id), roomsKey(this.process)],
      [this.process, roomForm, frameOf(identity), id],
    );
    if (isNew !== 1) throw new Error(`A room "${id}" exists already.`);
    room.isDiverged = false;
  }

  /** Continues a room that this process has taken over; `token` is its new token. */
  resume({ room, ticks, snapshot }: StoredRoom, token: number) {
    this.rooms.set(room.id, new OwnRoom(room, token, ticks.at(-1)?.tick ?? snapshot?.tick ?? 0));
  }

  append(id: string, record: TickRecord, done: (outcome: WriteOutcome) => void) {
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

  async remove(id: string, keepMs: number): Promise<void> {
    const room = this.rooms.get(id);
    if (room === undefined) return;
    this.rooms.delete(id);
    this.dirty.delete(room);
    this.finish(room.waiting.splice(0), 'lost');
    await this.stored.remove(id, room.token, keepMs);
  }

  incarnation(id: string): number {
    return this.rooms.get(id)?.token ?? 1;
  }

  async read(id: string): Promise<StoredRoom | undefined> {
    const room = this.rooms.get(id);
    if (room === undefined) return undefined;
    await this.settled();
    // The room continues from the written state, so all waiting and pending writes are obsolete.
    const { waiting, token } = room;
    room.waiting = [];
    this.finish(waiting, 'lost');
    const next = await this.redis.write(scripts.retake, [metaKey(id)], [token]);
    if (next === scripts.verdicts.fenced) this.giveUp(room);
    if (typeof next !== 'number' || next <= 0) return undefined;
    room.token = next;
    return this.stored.read(id, next);
  }

  /**
   * Waits for the current write and the next one, which contain everything that is waiting now. Waiting until no write
   * is in progress could take forever while rooms are played.
   */
  async settled(): Promise<void> {
    for (let writes = 0; writes < 2; writes++) await this.flight;
  }

  /** Stops writing; only the current write is completed. */
  stop() {
    this.hasStopped = true;
    this.retry?.cancel();
  }

  /** Waits for the last write. Everything that is still waiting is then lost. */
  async drain(): Promise<void> {
    while (this.flight !== undefined) await this.flight;
    for (const room of this.rooms.values()) this.finish(room.waiting.splice(0), 'lost');
  }

  /** Forgets all rooms, because they are left to other processes. */
  release() {
    this.rooms.clear();
    this.dirty.clear();
  }

  /** Notes that the database has failed. Writing is retried after a while. */
  fail(error: unknown) {
    if (this.hasStopped) return;
    const wasFailing = this.isFailing;
    this.isFailing = true;
    this.retry ??= this.options.machine.clock.after(retryMs, () => {
      this.retry = undefined;
      this.flush();
    });
    if (!wasFailing) this.options.listener.failing(messageOf(error));
  }

  /** Notes that the database has answered. */
  works() {
    if (!this.isFailing) return;
    this.isFailing = false;
    this.retry?.cancel();
    this.retry = undefined;
    this.options.listener.working();
    this.checkAll();
    this.flush();
  }

  /**
   * Checks all rooms after the lease had expired or the database was unreachable. Other processes may have taken them
   * over, or the database may have lost their newest ticks.
   */
  checkAll() {
    this.checking ??= this.check()
      .catch((error: unknown) => this.fail(error))
      .finally(() => {
        this.checking = undefined;
      });
  }

  /** Requests snapshots once more for those rooms that the database has lost in part. */
  remindOfLosses() {
    for (const { identity, isDiverged } of this.rooms.values()) if (isDiverged) this.options.listener.lost(identity.id);
  }

  private async keepNext(room: OwnRoom, snapshot: RoomSnapshot) {
    const { identity, token } = room;
    const { id, version } = identity;
    const bytes = await this.deflate(frameOf(snapshot), { level: 1 });
    const { isDiverged } = room;
    if (isDiverged) await this.definitions.restore(version);
    // The room may have ended in the meantime. An ended room must not be recreated.
    if (!this.isCurrent(room, token)) return;
    const verdict = await this.redis.write(
      scripts.keepSnapshot,
      [...roomKeys(id), roomsKey(this.process)],
      [token, this.process, roomForm, frameOf(identity), id, snapshot.tick, bytes, isDiverged ? ++room.rounds : 0],
    );
    if (!this.isCurrent(room, token) || !this.accepts(room, verdict)) return;
    room.keptTick = Math.max(room.keptTick, snapshot.tick);
    if (!isDiverged) return;
    room.isDiverged = false;
    // The snapshot contains the effects of these ticks, so they need not be written.
    const covered = room.waiting.filter(({ tick }) => tick <= snapshot.tick);
    room.waiting = room.waiting.filter(({ tick }) => tick > snapshot.tick);
    this.finish(covered, 'kept');
    this.flush();
  }

  /** Whether this process still plays the room, with this token. */
  private isCurrent(room: OwnRoom, token: number) {
    return this.rooms.get(room.identity.id) === room && room.token === token;
  }

  /**
   * Handles a verdict of the database on a room. Returns whether the database has the room as this process wrote it.
   */
  private accepts(room: OwnRoom, verdict: unknown) {
    if (verdict === scripts.verdicts.fenced) this.giveUp(room);
    else if (verdict === scripts.verdicts.diverged) this.markDiverged(room);
    else return true;
    return false;
  }

  private async check() {
    const rooms = [...this.rooms.values()].filter(({ isDiverged }) => !isDiverged);
    const tokens = rooms.map(({ token }) => token);
    const verdicts = await this.redis.ask((ask) =>
      Promise.all(
        rooms.map(({ identity, token, keptTick }) => ask(scripts.checkRoom, [metaKey(identity.id)], [token, keptTick])),
      ),
    );
    for (const [i, room] of rooms.entries()) if (this.isCurrent(room, tokens[i]!)) this.accepts(room, verdicts[i]);
  }

  private flush() {
    if (this.flight !== undefined || this.retry !== undefined || this.hasStopped) return;
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

  private async write(batches: readonly Batch[]) {
    let verdicts: readonly unknown[];
    try {
      const answers = await this.redis.commit((ask) =>
        Promise.all(
          portions(batches, scriptRoomsMax).map((portion) =>
            ask(
              scripts.append,
              portion.flatMap(({ room: { identity } }) => [metaKey(identity.id), ticksKey(identity.id)]),
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
      // The write may have succeeded nevertheless; repeating it is harmless.
      for (const batch of batches) this.putBack(batch);
      this.fail(error);
      return;
    }
    this.works();
    for (const [i, batch] of batches.entries()) this.settle(batch, verdicts[i]);
  }

  private settle(batch: Batch, verdict: unknown) {
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

  private putBack({ room, ticks }: Batch) {
    room.waiting = [...ticks, ...room.waiting];
    this.dirty.add(room);
  }

  private finish(ticks: readonly Waiting[], outcome: WriteOutcome) {
    for (const { bytes, done } of ticks) {
      this.waitingBytes -= bytes.length;
      done(outcome);
    }
  }

  private markDiverged(room: OwnRoom) {
    if (room.isDiverged) return;
    room.isDiverged = true;
    this.options.listener.lost(room.identity.id);
  }

  /** Drops a room that another process has taken over. */
  private giveUp(room: OwnRoom) {
    const { id } = room.identity;
    room.isTaken = true;
    this.rooms.delete(id);
    this.dirty.delete(room);
    this.drop(room, room.waiting.splice(0));
    this.options.listener.taken(id);
  }

  /**
   * Drops ticks that will never be written. They count as lost, unless another process has taken over the room and
   * plays its own ticks.
   */
  private drop({ isTaken }: OwnRoom, ticks: readonly Waiting[]) {
    if (!isTaken) this.finish(ticks, 'lost');
    else for (const { bytes } of ticks) this.waitingBytes -= bytes.length;
  }

  private loseAll() {
    for (const room of this.rooms.values()) {
      this.finish(room.waiting.splice(0), 'lost');
      room.isDiverged = true;
    }
    this.options.listener.lost();
  }
}

function portions<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, (i + 1) * size));
}
