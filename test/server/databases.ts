import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { eventually } from './support.ts';

/** A port of this machine without a listener. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
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

export const redisServer = ['/usr/bin/redis-server', '/usr/local/bin/redis-server'].find((path) => existsSync(path));

export interface RedisDatabase extends Database {
  signal(signal: NodeJS.Signals): void;
  /** A command, by the program that comes with it. */
  command(...command: string[]): string;
}

/** A Redis of the test's own, with its files in a folder. */
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
