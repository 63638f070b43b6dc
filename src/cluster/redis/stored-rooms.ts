import { readFrames } from '../../journal/index.ts';
import { plainBytes } from '../plain-bytes.ts';
import { decodeRecord, isIdentity, isRow, isSnapshot, storedRoom, withoutReplacedTicks } from '../stored-forms.ts';
import type { StoredRoom } from '../stored-room.ts';
import type { RedisConnection } from './connection.ts';
import { roomKeys, roomsKey } from './names.ts';
import type { RedisPorts } from './ports.ts';
import { roomForm } from './room-form.ts';
import * as scripts from './scripts.ts';

/** Reads and removes rooms in Redis, including those that this process does not play. */
export class StoredRooms {
  /** Ended rooms that still have to be removed. */
  private readonly ending = new Map<string, { readonly token: number; readonly keepMs: number }>();

  constructor(
    private readonly process: string,
    private readonly redis: RedisConnection,
    private readonly inflate: RedisPorts['inflate'],
  ) {}

  /**
   * Reads a room. Undefined if it does not exist, is damaged, or has another format. Rejects if its token is not
   * `token`: a new connection may lead to a former primary, which lacks the newest ticks.
   */
  async read(id: string, token?: number): Promise<StoredRoom | undefined> {
    type Entry = readonly [id: Buffer, fields: readonly Buffer[]];
    const found = (await this.redis.run(scripts.readRoom, roomKeys(id))) as
      | readonly [identity: Buffer, form: Buffer, token: number, snapshots: readonly Entry[], ticks: readonly Entry[]]
      | null;
    if (token !== undefined && found?.[2] !== token) throw new Error(`Redis lacks the newest state of room ${id}.`);
    if (found === null || found[1].toString() !== roomForm) return undefined;
    const bytesOf = ([, fields]: Entry): Uint8Array => plainBytes(fields[1]!);
    const [room] = readFrames(plainBytes(found[0]), 0, isIdentity).messages;
    const newest = found[3].at(-1);
    const [snapshot] =
      newest === undefined ? [] : readFrames(plainBytes(await this.inflate(bytesOf(newest))), 0, isSnapshot).messages;
    if (room === undefined || (newest !== undefined && snapshot === undefined)) return undefined;
    const records = found[4].flatMap((entry) => readFrames(bytesOf(entry), 0, isRow).messages.map(decodeRecord));
    return storedRoom({ room, snapshot }, withoutReplacedTicks(records.map(({ record }) => record)));
  }

  /** Removes a room of this process; its data expires after `keepMs`. If that fails, `retryRemovals` tries again. */
  async remove(id: string, token: number, keepMs: number): Promise<void> {
    this.ending.set(id, { token, keepMs });
    await this.redis.write(scripts.removeRoom, [...roomKeys(id), roomsKey(this.process)], [token, id, keepMs]);
    this.ending.delete(id);
  }

  retryRemovals() {
    for (const [id, { token, keepMs }] of this.ending) this.remove(id, token, keepMs).catch(() => {});
  }

  isEnding(id: string): boolean {
    return this.ending.has(id);
  }
}
