import type { StoredRoom } from '../stored-room.ts';
import type { RedisConnection } from './connection.ts';
import type { RedisJournalOptions } from './journal-options.ts';
import type { Leases } from './leases.ts';
import { leaseKey, leftKey, metaKey, processesKey, roomsKey } from './names.ts';
import { roomForm, versionOf } from './room-form.ts';
import type { RoomLog } from './room-log.ts';
import * as scripts from './scripts.ts';
import type { StoredRooms } from './stored-rooms.ts';

/** The maximum number of a dead process's rooms that are taken over in parallel. */
const takeoversMax = 4;
/** How long rooms that were set aside are kept, ms. */
export const setAsideMs = 7 * 24 * 3600 * 1000;

/** Takes over rooms of dead processes. */
export class Takeovers {
  /** Rooms that are being taken over. */
  private readonly arriving = new Set<string>();
  /** Rooms of other versions; each is reported only once. */
  private readonly reported = new Set<string>();
  private current: Promise<void> | undefined;
  private hasStopped = false;

  constructor(
    private readonly process: string,
    private readonly redis: RedisConnection,
    private readonly options: RedisJournalOptions,
    private readonly leases: Leases,
    private readonly stored: StoredRooms,
    private readonly log: RoomLog,
  ) {}

  /**
   * Starts taking over the rooms of dead processes, and those of `own` that are not played here, because their takeover
   * was interrupted. Does nothing while another takeover is running.
   */
  start(dead: readonly string[], own: readonly string[]) {
    const unplayed = own.filter((id) => !this.isKnown(id));
    if (dead.length + unplayed.length === 0) return;
    this.current ??= Promise.all([this.takeFrom(dead), this.takeOwn(unplayed)])
      .then(() => {})
      .catch((error: unknown) => this.log.fail(error))
      .finally(() => {
        this.current = undefined;
      });
  }

  /** Waits for the current takeover. */
  async settled(): Promise<void> {
    await this.current;
  }

  /** Stops taking over further rooms. */
  stop() {
    this.hasStopped = true;
  }

  /**
   * Takes over a room of a dead process. Returns true if the room is over instead, because no process can continue its
   * version.
   */
  async take(id: string, dead: string): Promise<boolean> {
    let isOver = false;
    await this.receive(id, async () => {
      const token = await this.acquire(id, dead, roomForm);
      if (typeof token === 'number') return token;
      isOver = this.leases.isReplaced(dead, token);
      const fate = isOver
        ? 'so the room has ended. The player data that the room saved is kept.'
        : 'so a process of that version must take over the room.';
      if (isOver || !this.reported.has(id))
        this.options.onNotice('journal-version', `Version ${versionOf(token)} wrote this room, ${fate}`, { room: id });
      this.reported.add(id);
      return 0;
    });
    return isOver;
  }

  /**
   * Takes over rooms of dead processes, up to the number that this process may open. Other processes do the same at the
   * same time, so each starts at a random room.
   */
  private async takeFrom(processes: readonly string[]) {
    const { machine, listener, orphanMs } = this.options;
    for (const dead of processes) {
      // After so long without a process that had capacity for these rooms or a client that asked for them, their
      // players are not expected to come back.
      const isOrphaned = this.leases.goneMs(dead) > orphanMs;
      const keys = [processesKey, roomsKey(dead), leaseKey(dead), leftKey];
      const left = ((await this.redis.run(scripts.roomsOf, keys, [dead])) as Buffer[]).map(String);
      const [high = 0, low = 0] = machine.random(2);
      const rooms = rotated(left.sort(), high * 256 + low);
      const takeNext = async () => {
        for (let id = rooms.pop(); id !== undefined; id = rooms.pop()) {
          if (this.hasStopped) return;
          if (isOrphaned) await this.removeOrphan(id, dead);
          else if (!listener.mayTake()) return;
          else if (await this.take(id, dead)) await this.removeOrphan(id, dead);
        }
      };
      await Promise.all(Array.from({ length: takeoversMax }, takeNext));
    }
  }

  private async removeOrphan(id: string, dead: string) {
    const token = await this.acquire(id, dead, '');
    if (typeof token === 'number' && token > 0) await this.stored.remove(id, token, 0);
  }

  /**
   * Acquires a room of a dead process. Returns the new token, or 0 if the room cannot be taken. If the room's format is
   * not `wanted`, returns that format instead; '' accepts any format.
   */
  private async acquire(id: string, dead: string, wanted: string) {
    const keys = [metaKey(id), leaseKey(dead), roomsKey(dead), roomsKey(this.process), processesKey];
    const token = await this.redis.write(scripts.takeRoom, keys, [dead, this.process, wanted, id]);
    return typeof token === 'number' ? token : String(token);
  }

  /**
   * Completes interrupted takeovers: rooms that belong to this process in the database but are not played here. No
   * other process can take them while this one is alive.
   */
  private async takeOwn(ids: readonly string[]) {
    for (const id of ids) {
      const keys = [metaKey(id), roomsKey(this.process)];
      await this.receive(
        id,
        async () => (await this.redis.write(scripts.ownToken, keys, [this.process, id])) as number,
      );
    }
  }

  /**
   * Takes over a room. `ask` acquires the room and returns its token. If a later step fails, `takeOwn` repeats that
   * step with a later heartbeat.
   */
  private async receive(id: string, ask: () => Promise<number>) {
    if (this.hasStopped || this.isKnown(id)) return;
    this.arriving.add(id);
    let room: StoredRoom | undefined;
    try {
      const token = await ask();
      if (token <= 0) return;
      room = await this.stored.read(id, token);
      if (room === undefined) {
        this.options.onNotice('journal-version', 'The stored room is damaged, so the room has ended.', { room: id });
        await this.stored.remove(id, token, setAsideMs);
        return;
      }
      this.log.resume(room, token);
    } finally {
      this.arriving.delete(id);
    }
    await this.options.listener.found(room);
  }

  private isKnown(id: string) {
    return this.log.has(id) || this.stored.isEnding(id) || this.arriving.has(id);
  }
}

/** The list, rotated by a number of positions. */
function rotated<T>(list: readonly T[], by: number): T[] {
  const start = list.length === 0 ? 0 : by % list.length;
  return [...list.slice(start), ...list.slice(0, start)];
}
