import { EventEmitter } from 'node:events';
import { Keyv } from 'keyv';
import type { RecordKind, RecordStore } from '../../store/index.ts';

/** How long a request may take, ms. After that it fails, and the connection is replaced. */
export const answerMs = 10_000;

/**
 * Keeps records in a PostgreSQL database. A failed connection is closed, and the next call opens a new one. Rejects if
 * the package is not installed.
 */
export class PostgresRecordStore implements RecordStore {
  private connection: Promise<Keyv> | undefined;

  constructor(private readonly url: string) {}

  async put(kind: RecordKind, id: string, bytes: Uint8Array, untilMs: number): Promise<void> {
    const ttl = Number.isFinite(untilMs) ? untilMs - Date.now() : undefined;
    const isKept = await this.ask((keyv) => keyv.set(keyOf(kind, id), Buffer.from(bytes), ttl));
    if (!isKept) throw new Error('The database did not save the data.');
  }

  async get(kind: RecordKind, id: string): Promise<Uint8Array | undefined> {
    return (await this.ask((keyv) => keyv.get<Uint8Array>(keyOf(kind, id)))) ?? undefined;
  }

  async remove(kind: RecordKind, id: string): Promise<boolean> {
    return this.ask((keyv) => keyv.delete(keyOf(kind, id)));
  }

  async *list(kind: RecordKind): AsyncGenerator<[string, Uint8Array]> {
    const keyv = await this.ask(async (connected) => connected);
    if (keyv.iterator === undefined) throw new Error('The database package does not support listing values.');
    const prefix = keyOf(kind, '');
    for await (const [key, bytes] of keyv.iterator(undefined)) {
      if (key.startsWith(prefix)) yield [key.slice(prefix.length), bytes];
    }
  }

  async close(): Promise<void> {
    const { connection } = this;
    this.connection = undefined;
    await connection?.then((keyv) => keyv.disconnect()).catch(() => {});
  }

  private async ask<T>(question: (keyv: Keyv) => Promise<T>): Promise<T> {
    this.connection ??= openPostgres(this.url);
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

function keyOf(kind: RecordKind, id: string): string {
  return `${kind}:${id}`;
}

/** Connects to `postgres://` or `postgresql://`. Rejects if the package is not installed. */
async function openPostgres(url: string): Promise<Keyv> {
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
  const keyv = new Keyv({ store: adapter, namespace: 'reenact', throwOnErrors: true });
  // Errors are also thrown by the calls; without a listener their events would end the process.
  return keyv.on('error', () => {});
}
