import type { Pool } from 'pg';
import type { RecordKind, RecordStore } from '../../store/index.ts';

/** How long a database may take to answer, ms. After that the request fails, and its connection is replaced. */
export const answerMs = 10_000;

/** The lock keeps two processes from creating the table at the same time, which would fail in one of them. */
const createTable = `
BEGIN;
SELECT pg_advisory_xact_lock(hashtext('reenact_records'));
CREATE TABLE IF NOT EXISTS reenact_records
  (kind text, id text, bytes bytea NOT NULL, until_ms double precision NOT NULL, PRIMARY KEY (kind, id));
COMMIT`;
const isInForce = 'until_ms > extract(epoch from now()) * 1000';
const pageRows = 100;

interface Row {
  readonly id: string;
  readonly bytes: Uint8Array;
}

/** Keeps records in a PostgreSQL database. */
export class PostgresRecordStore implements RecordStore {
  private readonly pool: Pool;
  private table: Promise<unknown> | undefined;

  /** Takes the package `pg`. Connects at the first request. */
  constructor(pg: typeof import('pg'), connectionString: string) {
    const limits = { max: 8, connectionTimeoutMillis: answerMs, query_timeout: answerMs };
    // Without a listener, the error of an idle connection that breaks would end the process.
    this.pool = new pg.Pool({ connectionString, ...limits }).on('error', () => {});
  }

  async put(kind: RecordKind, id: string, bytes: Uint8Array, untilMs: number): Promise<void> {
    const update = 'ON CONFLICT (kind, id) DO UPDATE SET bytes = $3, until_ms = $4';
    await this.ask(`INSERT INTO reenact_records VALUES ($1, $2, $3, $4) ${update}`, [kind, id, bytes, untilMs]);
  }

  async get(kind: RecordKind, id: string): Promise<Uint8Array | undefined> {
    const where = `kind = $1 AND id = $2 AND ${isInForce}`;
    const { rows } = await this.ask(`SELECT id, bytes FROM reenact_records WHERE ${where}`, [kind, id]);
    return rows[0]?.bytes;
  }

  async remove(kind: RecordKind, id: string): Promise<boolean> {
    return (await this.ask('DELETE FROM reenact_records WHERE kind = $1 AND id = $2', [kind, id])).rowCount > 0;
  }

  async *list(kind: RecordKind): AsyncGenerator<[string, Uint8Array]> {
    const page = `kind = $1 AND id > $2 AND ${isInForce} ORDER BY id LIMIT ${pageRows}`;
    let last: string | undefined = '';
    while (last !== undefined) {
      const { rows } = await this.ask(`SELECT id, bytes FROM reenact_records WHERE ${page}`, [kind, last]);
      for (const { id, bytes } of rows) yield [id, bytes];
      last = rows.at(-1)?.id;
    }
  }

  async close(): Promise<void> {
    await this.pool.end();
  }

  private async ask(text: string, values: readonly unknown[]): ReturnType<typeof this.pool.query<Row>> {
    this.table ??= this.pool.query(createTable).catch((error) => {
      this.table = undefined;
      throw error;
    });
    await this.table;
    return this.pool.query<Row>(text, values);
  }
}
