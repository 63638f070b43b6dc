import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { eventually } from '../server/support.ts';

/**
 * A port without a listener, from the range that outgoing connections do not use, so that none of them takes it before
 * a test does.
 */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    const tryAnother = (): unknown => server.listen(20_000 + Math.floor(Math.random() * 12_000), '127.0.0.1');
    server.on('error', tryAnother);
    server.on('listening', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
    tryAnother();
  });
}

/** A database that can be started and killed. */
export interface Database {
  readonly url: string;
  start(): Promise<void>;
  kill(): Promise<void>;
}

export function gone(child: ChildProcess): Promise<void> {
  return child.exitCode === null && child.signalCode === null
    ? new Promise((resolve) => child.once('exit', () => resolve()))
    : Promise.resolve();
}

/** `REDIS_SERVER=…/valkey-server` tests another one. */
export const redisServer = [process.env['REDIS_SERVER'], '/usr/bin/redis-server', '/usr/local/bin/redis-server'].find(
  (path) => path !== undefined && existsSync(path),
);

export interface RedisDatabase extends Database {
  signal(signal: NodeJS.Signals): void;
  /** Runs a command with the database's own command-line client. */
  command(...command: string[]): string;
}

/** Starts a Redis for the test, with its files in a folder. */
export async function redis(path: string, port?: number, more: readonly string[] = []): Promise<RedisDatabase> {
  port ??= await freePort();
  mkdirSync(path);
  let child: ChildProcess | undefined;
  return {
    url: `redis://127.0.0.1:${port}`,
    async start() {
      const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', path, '--appendonly', 'yes', '--save', ''];
      child = spawn(redisServer!, [...args, ...more], { stdio: 'pipe' });
      let said = '';
      child.stdout!.on('data', (part) => (said += part));
      await eventually(() => said.includes('Ready to accept connections'), 'redis-server starting');
    },
    async kill() {
      if (child === undefined) return;
      child.kill('SIGKILL');
      await gone(child);
    },
    signal: (signal) => child?.kill(signal),
    command: (...command) => execFileSync('redis-cli', ['-p', String(port), ...command], { encoding: 'utf8' }),
  };
}

/** Starts a sentinel for a primary. Its failovers begin half a second after the primary has stopped to answer. */
export async function sentinel(path: string, name: string, primary: RedisDatabase): Promise<RedisDatabase> {
  const port = await freePort();
  const conf = `${path}.conf`;
  const lines = [
    `port ${port}`,
    'bind 127.0.0.1',
    `sentinel monitor ${name} 127.0.0.1 ${new URL(primary.url).port} 1`,
    `sentinel down-after-milliseconds ${name} 500`,
    `sentinel failover-timeout ${name} 3000`,
  ];
  writeFileSync(conf, `${lines.join('\n')}\n`);
  const child = spawn(redisServer!, [conf, '--sentinel'], { stdio: 'ignore' });
  const command = (...words: string[]) =>
    execFileSync('redis-cli', ['-p', String(port), ...words], { encoding: 'utf8' });
  return {
    url: `redis-sentinel://127.0.0.1:${port}#${name}`,
    start: async () => {},
    async kill() {
      child.kill('SIGKILL');
      await gone(child);
    },
    signal: (signal) => child.kill(signal),
    command,
  };
}

export const postgresBin = ['17', '16', '15', '14', '13']
  .map((version) => `/usr/lib/postgresql/${version}/bin`)
  .find((path) => existsSync(path));

export interface PostgresDatabase extends Database {
  /** Connections that it has accepted since its start. */
  connections(): number;
  /** Ends all other connections. */
  cut(): void;
}

/** Starts a PostgreSQL for the test, with its files in a new folder. */
export async function postgres(path: string): Promise<PostgresDatabase> {
  const port = await freePort();
  mkdirSync(path);
  // PostgreSQL refuses to run as root.
  const isRoot = process.getuid?.() === 0;
  const owner = isRoot ? { uid: Number(idOf('-u')), gid: Number(idOf('-g')) } : {};
  if (isRoot) {
    execFileSync('chown', ['postgres', path]);
    chmodSync(dirname(path), 0o755);
  }
  const run = { ...owner, cwd: path, stdio: 'pipe' } as const;
  const data = join(path, 'data');
  execFileSync(join(postgresBin!, 'initdb'), ['-D', data, '-U', 'game', '--auth=trust', '-N'], run);
  let child: ChildProcess | undefined;
  let said = '';
  const url = `postgres://game@127.0.0.1:${port}/postgres`;
  return {
    connections: () => said.match(/connection authorized/g)?.length ?? 0,
    cut() {
      const sql = 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()';
      execFileSync(join(postgresBin!, 'psql'), [url, '-c', sql], { stdio: 'pipe' });
    },
    url,
    async start() {
      const args = [
        '-D',
        data,
        '-p',
        String(port),
        '-k',
        path,
        '-c',
        'listen_addresses=127.0.0.1',
        '-c',
        'log_connections=on',
      ];
      child = spawn(join(postgresBin!, 'postgres'), args, run);
      said = '';
      child.stderr!.on('data', (part) => (said += part));
      await eventually(() => said.includes('ready to accept connections'), 'postgres starting');
    },
    async kill() {
      if (child === undefined) return;
      // Its child processes would survive a kill, and keep using the folder.
      child.kill('SIGQUIT');
      await gone(child);
    },
  };
}

function idOf(flag: string): string {
  return execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }).trim();
}
