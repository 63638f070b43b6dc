import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

/** A server in its own process, as an operator runs it. */
export interface Served {
  readonly child: ChildProcess;
  readonly url: string;
  readonly http: string;
  readonly startMs: number;
  /** When it started listening, by `performance.now()`. */
  readonly listeningMs: number;
  readonly log: Record<string, unknown>[];
}

/** Starts `reenact serve` on any free port, and waits until it listens. */
export async function serve(game: string, data: string, ...args: string[]): Promise<Served> {
  const start = performance.now();
  const line = ['dist/cli/main.js', 'serve', game, '--port', '0', '--data', data, ...args];
  const child = spawn(process.execPath, line, { stdio: ['ignore', 'pipe', 'inherit'] });
  const log: Record<string, unknown>[] = [];
  return new Promise((resolve, reject) => {
    let rest = '';
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}.`)));
    child.stdout!.on('data', (part) => {
      const lines = `${rest}${part}`.split('\n');
      rest = lines.pop()!;
      for (const each of lines) {
        const entry = JSON.parse(each) as Record<string, unknown>;
        log.push(entry);
        if (entry['msg'] !== 'listening') continue;
        const at = `127.0.0.1:${entry['port']}`;
        const listeningMs = performance.now();
        const startMs = listeningMs - start;
        resolve({ child, url: `ws://${at}/play`, http: `http://${at}`, startMs, listeningMs, log });
      }
    });
  });
}

export async function end({ child }: Served, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await gone;
}

/** Resident memory of a process, MB. */
export function megabytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
}

/** The CPU time of a process, in seconds. */
export function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Finds a free port. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
