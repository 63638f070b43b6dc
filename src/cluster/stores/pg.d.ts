/** The part of the package `pg` that this program uses. The package has no types of its own. */
declare module 'pg' {
  interface PoolOptions {
    readonly connectionString: string;
    /** The maximum number of connections. */
    readonly max: number;
    readonly connectionTimeoutMillis: number;
    /** How long a query may take, ms. After that it fails, and its connection is closed. */
    readonly query_timeout: number;
  }

  /** Connections to PostgreSQL, opened on demand. A connection that fails is closed. */
  export class Pool {
    constructor(options: PoolOptions);
    on(event: 'error', listener: () => void): this;
    query<Row>(text: string, values?: readonly unknown[]): Promise<{ readonly rows: Row[]; readonly rowCount: number }>;
    end(): Promise<void>;
  }
}
