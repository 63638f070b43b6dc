import type { Clock } from '../../machine/index.ts';
import type { RedisConnection } from './connection.ts';
import { textKey } from './names.ts';
import type { RedisPorts } from './ports.ts';
import * as scripts from './scripts.ts';

/** How long unused definitions are kept, and how often the expiry of those in use is extended, ms. */
const keptMs = 30 * 24 * 3600 * 1000;
const extensionMs = 24 * 3600 * 1000;

/** The definitions of rooms in Redis, by version. All processes share them, and unused ones expire. */
export class DefinitionTexts {
  /** The definitions that this process has written or read. If the database loses one, this process writes it again. */
  private readonly known = new Map<string, string>();
  private extendedMs: number;

  constructor(
    private readonly redis: RedisConnection,
    private readonly compression: Pick<RedisPorts, 'deflate' | 'inflate'>,
    private readonly clock: Clock,
  ) {
    this.extendedMs = clock.now();
  }

  async keep(version: string, text: string): Promise<void> {
    this.known.set(version, text);
    await this.redis.write(scripts.keepText, [textKey(version)], [keptMs, await this.compression.deflate(text)]);
  }

  async read(version: string): Promise<string | undefined> {
    const bytes = await this.redis.run(scripts.readText, [textKey(version)]);
    if (!(bytes instanceof Uint8Array)) return undefined;
    const text = (await this.compression.inflate(bytes)).toString('utf8');
    this.known.set(version, text);
    return text;
  }

  /** Writes a definition again, if this process knows its text. */
  async restore(version: string): Promise<void> {
    const text = this.known.get(version);
    if (text !== undefined) await this.keep(version, text);
  }

  /** Extends the expiry of definitions in use, at most once a day. */
  extend(versions: ReadonlySet<string>) {
    const now = this.clock.now();
    if (now - this.extendedMs <= extensionMs) return;
    this.extendedMs = now;
    for (const version of versions) this.redis.run(scripts.keepText, [textKey(version)], [keptMs]).catch(() => {});
  }
}
