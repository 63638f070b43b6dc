import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { engineVersion } from '../../engine/core/version.ts';
import type { ServerOptions } from '../../src/server/server.ts';
import { eventually } from './support.ts';

const dist = new URL('../../dist/', import.meta.url);
/** What the package ships loads in a third of the time of its separate modules. */
const bundled = new URL('../../src/server/dist/program/', import.meta.url);

/** `npm test` builds first; without a build there is no program to run. */
export const isBuilt = existsSync(fileURLToPath(new URL('src/server/server.js', dist)));

/** The URL of the module that threads of rooms load. */
export const workerFile = new URL('src/server/worker.js', dist).href;

export const commandLine = fileURLToPath(new URL('src/cli/main.js', dist));

/** Takes options that are plain data from the command line; the others are like those of the command. */
const program = (folder: URL) => `
import server from '${new URL('server.js', folder)}';
const { GameServer, protocols } = server;
// Tests stop the server as soon as it says that it listens, which is before \`start\` returns.
process.once('SIGTERM', () => starting.then((server) => server.stop()).then(() => process.exit()));
const starting = GameServer.start({
  host: '127.0.0.1', port: 0, rooms: 1, roomsMax: 10, workers: 0, sync: 'always', onJournalFailure: 'go-on', origins: [],
  trustProxy: false, compress: false, graceMs: 600000, endMs: 30000, watch: false, log: 'debug', logTo: process.stdout,
  watchersMax: 0, protocols: [protocols.reenact],
  ...JSON.parse(process.argv[1]),
});
`;

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface ServerProcess {
  readonly child: ChildProcess;
  readonly url: string;
  readonly wsUrl: string;
  /** JSON lines, as they were logged. */
  readonly log: Record<string, unknown>[];
  codes(): unknown[];
  ended(): Promise<Ended>;
  kill(signal?: NodeJS.Signals): Promise<void>;
}

/** A copy of the program of another version, in a new folder beside it, where it finds its packages. */
export function programOfVersion(version: string): { readonly folder: URL; remove(): void } {
  const path = mkdtempSync(`${fileURLToPath(bundled).replace(/\/$/, '')}-`);
  cpSync(bundled, path, { recursive: true });
  for (const name of readdirSync(path).filter((each) => each.endsWith('.js'))) {
    const file = join(path, name);
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(`"${engineVersion}"`, `"${version}"`));
  }
  return { folder: pathToFileURL(`${path}/`), remove: () => rmSync(path, { recursive: true }) };
}

/** A server in a separate process, which can be killed and suspended. */
export function startProcess(options: Partial<ServerOptions>, folder = bundled): Promise<ServerProcess> {
  return startCommand([process.execPath, '--input-type=module', '-e', program(folder), JSON.stringify(options)]);
}

/** A command that starts a server, once it listens. Rejects with its standard error if it ends before. */
export async function startCommand([command = '', ...args]: readonly string[], cwd?: string): Promise<ServerProcess> {
  const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  const log: Record<string, unknown>[] = [];
  let rest = '';
  child.stdout!.on('data', (part) => {
    const lines = `${rest}${part}`.split('\n');
    rest = lines.pop()!;
    for (const each of lines) log.push(JSON.parse(each) as Record<string, unknown>);
  });
  let said = '';
  child.stderr!.on('data', (part) => (said += part));
  const ended = new Promise<Ended>((resolve) => child.once('close', (code, signal) => resolve({ code, signal })));
  const port = await eventually(() => {
    if (child.exitCode !== null) throw new Error(`The server ended: ${said}`);
    return log.find(({ msg }) => msg === 'listening')?.['port'];
  }, 'listening');
  return {
    child,
    url: `http://127.0.0.1:${port}`,
    wsUrl: `ws://127.0.0.1:${port}/play`,
    log,
    codes: () => log.map(({ code }) => code).filter((code) => code !== undefined),
    ended: () => ended,
    async kill(signal = 'SIGKILL') {
      child.kill(signal);
      await ended;
    },
  };
}
