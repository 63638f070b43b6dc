import { createHash } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { Keyv } from 'keyv';
import { type AccountData, isStoredAccount, type ListedStore, type StoredAccount } from '../../store/index.ts';
import { installedClient } from '../redis/installed-client.ts';
import { refusalOf } from '../redis/refusal.ts';
import { isSentinelUrl, primaryUrl } from '../redis/sentinel.ts';

/** How long a request may take, ms. After that it fails, and the connection is replaced. */
const answerMs = 10_000;

/** Opens a connection to a database. `disconnect` closes the connection. */
type OpenKeyv = () => Promise<Keyv>;

/**
 * Stores accounts in a database. Each account is one value that is replaced as a whole, so that writes can be repeated.
 * A failed connection is closed, and the next call opens a new one.
 */
export class KeyvStore implements ListedStore {
  private connection: Promise<Keyv> | undefined;

  constructor(private readonly open: OpenKeyv) {}

  async load(gameId: string, userId: string): Promise<AccountData | undefined> {
    const content = await this.ask((keyv) => keyv.get<StoredAccount>(keyOf(gameId, userId)));
    if (content === undefined || content === null) return undefined;
    if (content.userId !== userId || content.gameId !== gameId) {
      throw new Error('The value under the key of this account belongs to another account.');
    }
    return content.kept;
  }

  async save(gameId: string, userId: string, kept: AccountData): Promise<void> {
    const content: StoredAccount = { gameId, userId, kept };
    const isKept = await this.ask((keyv) => keyv.set(keyOf(gameId, userId), content));
    if (!isKept) throw new Error('The database did not save the data.');
  }

  async *all(onDamaged: (message: string) => void): AsyncGenerator<StoredAccount> {
    const keyv = await this.ask(async (connected) => connected);
    if (keyv.iterator === undefined) throw new Error('The database package does not support listing values.');
    for await (const [key, content] of keyv.iterator(undefined)) {
      // Keys are hashes, so the ids are read from the value.
      if (isStoredAccount(content) && keyOf(content.gameId, content.userId) === key) yield content;
      else onDamaged(`The value under the key ${key} is not an account.`);
    }
  }

  async remove(gameId: string, userId: string): Promise<void> {
    await this.ask((keyv) => keyv.delete(keyOf(gameId, userId)));
  }

  async close(): Promise<void> {
    const { connection } = this;
    this.connection = undefined;
    await connection?.then((keyv) => keyv.disconnect()).catch(() => {});
  }

  private async ask<T>(question: (keyv: Keyv) => Promise<T>): Promise<T> {
    this.connection ??= this.open();
    const { connection } = this;
    try {
      return await answered(connection.then(question));
    } catch (error) {
      if (this.connection === connection) await this.close();
      throw error;
    }
  }
}

/** Rejects if the database takes longer than `answerMs`. */
function answered<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`The database did not answer within ${answerMs} ms.`)), answerMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/**
 * The key of an account. It is a hash, because ids of accounts and games may have any length and contain any
 * characters.
 */
function keyOf(gameId: string, userId: string): string {
  return createHash('sha256')
    .update(JSON.stringify([gameId, userId]))
    .digest('hex');
}

/**
 * Connects to `redis://` or `rediss://`, or to the current primary of sentinels. Rejects if the package is not
 * installed.
 */
export async function openRedis(url: string): Promise<Keyv> {
  const { default: KeyvRedis } = await import('@keyv/redis');
  const primary = isSentinelUrl(url) ? await primaryUrl(await installedClient(), url, answerMs) : url;
  // No offline queue: a command must fail immediately rather than wait for a connection that may never be made.
  const adapter = new KeyvRedis(
    { url: primary, disableOfflineQueue: true, socket: { connectTimeout: answerMs, reconnectStrategy: false } },
    // `connectionTimeout` is not used, because its timer would keep the process alive after the connection has closed.
    { throwOnConnectError: true, throwOnErrors: true },
  );
  const keyv = quiet(new Keyv({ store: adapter, namespace: 'reenact', throwOnErrors: true }));
  // The adapter's own error says only that there is no connection.
  let cause: unknown;
  adapter.on('error', (error) => {
    cause = error;
  });
  try {
    // The adapter connects with its first command, and a second command before the client is ready would fail.
    // Moreover, Redis reports a missing password only in the reply to a command.
    await answered(adapter.get(''));
  } catch (error) {
    await adapter.disconnect(true);
    throw await refusalOf(primary, cause ?? error);
  }
  return keyv;
}

/** Connects to `postgres://` or `postgresql://`. Rejects if the package is not installed. */
export async function openPostgres(url: string): Promise<Keyv> {
  const { KeyvPostgres } = await import('@keyv/postgres');
  const common = { uri: url, table: 'reenact_players', max: 8, connectionTimeoutMillis: answerMs };
  const begun = async (adapter: InstanceType<typeof KeyvPostgres>) => {
    const problem = new Promise<never>((_, reject) => adapter.once('error', reject));
    // The adapter creates its table before the first query, and reports a failure of that only by an event.
    await Promise.race([adapter.query('SELECT 1'), problem]);
    problem.catch(() => {});
    return adapter;
  };
  let pool: unknown;
  let adapter = await begun(
    new KeyvPostgres({
      ...common,
      // If an idle connection breaks, the pool emits `error`, which ends the process unless there is a listener. The
      // adapter hides its pool, but the pool calls this function as its own method before it opens the first
      // connection.
      log(this: unknown) {
        if (pool === this || !(this instanceof EventEmitter)) return;
        pool = this;
        this.on('error', () => {});
      },
    }),
  );
  if (pool === undefined) {
    // With this version of the pool, the listener cannot be added, so no connection may stay idle.
    await adapter.disconnect();
    adapter = await begun(new KeyvPostgres({ ...common, maxUses: 1 }));
  }
  return quiet(new Keyv({ store: adapter, namespace: 'reenact', throwOnErrors: true }));
}

/**
 * Ignores `error` events, because errors are also thrown by the calls; without a listener they would end the process.
 */
function quiet(keyv: Keyv): Keyv {
  keyv.on('error', () => {});
  return keyv;
}
