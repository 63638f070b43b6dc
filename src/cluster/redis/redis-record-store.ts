import type { Clock } from '../../machine/index.ts';
import type { RecordKind, WatchedStore } from '../../store/index.ts';
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
 * Reads some records. KEYS index. ARGV the prefix of records, the cursor. Returns the next cursor, and ids and bytes
 * alternately. Removes the ids of records that have expired.
 */
const scan = new RedisScript(`
local page = redis.call('SSCAN', KEYS[1], ARGV[2], 'COUNT', 100)
local found = { page[1] }
for _, id in ipairs(page[2]) do
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

/** A record store in a Redis database, which all processes use. */
export class RedisRecordStore implements WatchedStore {
  private readonly redis: RedisConnection;

  /** `answerMs`: how long a request may take, ms. A later request fails, and the connection is replaced. */
  constructor(make: ClientMaker, url: string, clock: Clock, answerMs = 3000) {
    this.redis = new RedisConnection(make, url, answerMs, [put, get, remove, scan, version], clock);
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

  async *list(kind: RecordKind): AsyncGenerator<[string, Uint8Array]> {
    const { prefix, index } = recordKeys(kind);
    // Redis may return a member twice while the set grows.
    const seen = new Set<string>();
    let cursor = '0';
    do {
      const [next, ...rows] = (await this.redis.run(scan, [index], [prefix, cursor])) as readonly Buffer[];
      for (let at = 0; at < rows.length; at += 2) {
        const id = String(rows[at]);
        if (!seen.has(id)) yield [id, rows[at + 1]! as Uint8Array];
        seen.add(id);
      }
      cursor = String(next);
    } while (cursor !== '0');
  }

  async version(kind: RecordKind): Promise<number> {
    return Number(await this.redis.run(version, [recordKeys(kind).version]));
  }

  close() {
    this.redis.end();
  }
}
