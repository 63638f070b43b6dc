import { createHash } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { Keyv } from 'keyv';
import type { AccountData, Store } from '../store/store.ts';

/** The value under a key: the key itself says nothing. */
interface Content {
  readonly gameId: string;
  readonly userId: string;
  readonly kept: AccountData;
}

/** Where a database does not answer for so long, it is asked again over a new connection. */
const answerMs = 10_000;

/** How to come to a database: makes a connection, which is closed by `disconnect`. */
type OpenKeyv = () => Promise<Keyv>;

/**
 * Keeps players in a database. Each account is one value that is replaced as a whole, so that a write can be repeated. A connection that fails is
 * closed; the next call opens another.
 */
export class KeyvStore implements Store {
  private readonly open: OpenKeyv;
  private connection: Promise<Keyv> | undefined;

  constructor(open: OpenKeyv) {
    this.open = open;
  }

  async load(gameId: string, userId: string): Promise<AccountData | undefined> {
    const content = await this.ask((keyv) => keyv.get<Content>(keyOf(gameId, userId)));
    if (content === undefined || content === null) return undefined;
    if (content.userId !== userId || content.gameId !== gameId) {
      throw new Error('Under the key of an account stands what is not about that account.');
    }
    return content.kept;
  }

  async save(gameId: string, userId: string, kept: AccountData): Promise<void> {
    const content: Content = { gameId, userId, kept };
    const isKept = await this.ask((keyv) => keyv.set(keyOf(gameId, userId), content));
    if (!isKept) throw new Error('The database took nothing.');
  }

  async close(): Promise<void> {
    const { connection } = this;
    this.connection = undefined;
    await connection?.then((keyv) => keyv.disconnect()).catch(() => {});
  }

  private async ask<T>(question: (keyv: Keyv) => Promise<T>): Promise<T> {
    this.connection ??= this.open();
    const { connection } = this;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`The database has not answered for ${answerMs} ms.`)), answerMs);
    });
    try {
      return await Promise.race([connection.then(question), late]);
    } catch (error) {
      if (this.connection === connection) await this.close();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Names of accounts and games may be anything and of any length. */
function keyOf(gameId: string, userId: string): string {
  return createHash('sha256')
    .update(JSON.stringify([gameId, userId]))
    .digest('hex');
}

/** `redis://` and `rediss://`. Rejects where the package is not installed. */
export async function openRedis(url: string): Promise<Keyv> {
  const { default: KeyvRedis } = await import('@keyv/redis');
  // Commands that wait for a connection that may never come would be neither kept nor lost.
  const adapter = new KeyvRedis(
    { url, disableOfflineQueue: true, socket: { connectTimeout: answerMs, reconnectStrategy: false } },
    { throwOnConnectError: true, throwOnErrors: true, connectionTimeout: answerMs },
  );
  return quiet(new Keyv({ store: adapter, namespace: 'reenact', throwOnErrors: true }));
}

/** `postgres://` and `postgresql://`. Rejects where the package is not installed. */
export async function openPostgres(url: string): Promise<Keyv> {
  const { KeyvPostgres } = await import('@keyv/postgres');
  const common = { uri: url, table: 'reenact_players', max: 8, connectionTimeoutMillis: answerMs };
  const begun = async (adapter: InstanceType<typeof KeyvPostgres>) => {
    const problem = new Promise<never>((_, reject) => adapter.once('error', reject));
    // Its table is made before the first query; only an event says that this failed.
    await Promise.race([adapter.query('SELECT 1'), problem]);
    problem.catch(() => {});
    return adapter;
  };
  let pool: unknown;
  let adapter = await begun(
    new KeyvPostgres({
      ...common,
      // A connection that breaks while idle is an error event of the pool, which ends the process where it has no listener. The adapter
      // keeps its pool to itself. The pool calls this as its own method, before it opens the first connection.
      log(this: unknown) {
        if (pool === this || !(this instanceof EventEmitter)) return;
        pool = this;
        this.on('error', () => {});
      },
    }),
  );
  if (pool === undefined) {
    // A version of the pool that cannot be listened to: none of its connections is left idle.
    await adapter.disconnect();
    adapter = await begun(new KeyvPostgres({ ...common, maxUses: 1 }));
  }
  return quiet(new Keyv({ store: adapter, namespace: 'reenact', throwOnErrors: true }));
}

/** Errors are thrown by the call that has them; an error event without a listener would end the process. */
function quiet(keyv: Keyv): Keyv {
  keyv.on('error', () => {});
  return keyv;
}
