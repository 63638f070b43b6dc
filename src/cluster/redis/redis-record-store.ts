import type { Clock } from '../../machine/index.ts';
import type { RecordKind, RecordStore } from '../record-store.ts';
import { type ClientMaker, RedisConnection, RedisScript } from './connection.ts';
import { recordKeys } from './names.ts';

/** Writes a record. KEYS record, index, version. ARGV id, bytes, end in ms since 1970 or 0 for never. */
const put = new RedisScript(`
redis.call('SET', KEYS[1], ARGV[2])
if tonumber(ARGV[3]) > 0 then redis.call('PEXPIREAT', KEYS[1], ARGV[3]) end
redis.call('SADD', KEYS[2], ARGV[1])
return redis.call('INCR', KEYS[3])
`);

/** Reads a record. KEYS record. Returns its bytes. */
const get = new RedisScript(`return redis.call('GET', KEYS[1])`);

/** Removes a record. KEYS record, index, version. ARGV id. Returns 1, or 0 if there was no such record. */
const remove = new RedisScript(`
redis.call('SREM', KEYS[2], ARGV[1])
redis.call('INCR', KEYS[3])
return redis.call('DEL', KEYS[1])
`);

/**
 * Reads all records. KEYS index. ARGV the prefix of records. Returns ids and bytes alternately, and removes the ids of
 * records that have expired.
 */
const all = new RedisScript(`
local found = {}
for _, id in ipairs(redis.call('SMEMBERS', KEYS[1])) do
  local bytes = redis.call('GET', ARGV[1] .. id)
  if bytes then
    found[#found + 1] = id
    found[#found + 1] = bytes
  else
    redis.call('SREM', KEYS[1], id)
  end
end
return found
`);

/** Reads the number of changes. KEYS version. */
const version = new RedisScript(`return tonumber(redis.call('GET', KEYS[1]) or '0')`);

const answerMs = 3000;

/** A record store in the Redis database of the shared journal, which all processes use. */
export class RedisRecordStore implements RecordStore {
  private readonly redis: RedisConnection;

  constructor(make: ClientMaker, url: string, clock: Clock) {
    this.redis = new RedisConnection(make, url, answerMs, [put, get, remove, all, version], clock);
  }

  async put(kind: RecordKind, id: string, bytes: Uint8Array, untilMs: number): Promise<void> {
    const { prefix, index, version: changes } = recordKeys(kind);
    const end = Number.isFinite(untilMs) ? Math.ceil(untilMs) : 0;
    await this.redis.run(put, [prefix + id, index, changes], [id, bytes, end]);
  }

  async get(kind: RecordKind, id: string): Promise<Uint8Array | undefined> {
    const bytes = await this.redis.run(get, [recordKeys(kind).prefix + id]);
    return bytes instanceof Uint8Array ? bytes : undefined;
  }

  async remove(kind: RecordKind, id: string): Promise<boolean> {
    const { prefix, index, version: changes } = recordKeys(kind);
    return (await this.redis.run(remove, [prefix + id, index, changes], [id])) === 1;
  }

  async all(kind: RecordKind): Promise<ReadonlyMap<string, Uint8Array>> {
    const { prefix, index } = recordKeys(kind);
    const rows = (await this.redis.run(all, [index], [prefix])) as readonly Buffer[];
    return new Map(
      rows.flatMap((id, at) => (at % 2 === 0 ? [[id.toString(), rows[at + 1]! as Uint8Array] as const] : [])),
    );
  }

  async version(kind: RecordKind): Promise<number> {
    return Number(await this.redis.run(version, [recordKeys(kind).version]));
  }

  close(): void {
    this.redis.end();
  }
}
