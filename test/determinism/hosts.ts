import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { rolldown } from 'rolldown';
import { type OtherRuntime, otherRuntime, otherRuntimes } from '../support/other-runtimes.ts';
import type { LongPlayResult } from './long-play.ts';
import type { PlayerOrder } from './player.ts';

/** Hosts on which a game can be replayed: other versions of Node, Bun, Deno, threads, browsers, another processor. */

const root = fileURLToPath(new URL('../../', import.meta.url).href.replace(/dist\/$/, ''));
const player = join(root, 'dist/test/determinism/player.js');
const armNode = join(root, 'node_modules/.cache/other-runtimes/20-arm64/bin/node');
const browsers: Readonly<Record<string, readonly string[]>> = {
  chromium: ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'],
  firefox: ['/usr/bin/firefox-esr', '/usr/bin/firefox'],
};
const emulator = '/usr/bin/qemu-aarch64-static';
/** From Debian's packages libc6-arm64-cross and libstdc++6-arm64-cross. */
const armLibraries = '/usr/aarch64-linux-gnu';
const workersAtOnce = 4;
const run = promisify(execFile);
const outputBytesMax = 1e9;

export const hostNames = ['node', 'jitless', 'worker', 'workers', ...otherRuntimes, 'arm64', 'chromium', 'firefox'];

/** Why a host is not available; undefined if it is. */
export function missing(host: string): string | undefined {
  if (!hostNames.includes(host)) return `there is no host ${host}: ${hostNames.join(', ')}`;
  const found = (path: string, hint: string) => (existsSync(path) ? undefined : hint);
  if (host in browsers) {
    return browsers[host]!.some((path) => existsSync(path)) ? undefined : `no ${host} is installed`;
  }
  if (host === 'arm64') {
    return (
      found(emulator, 'apt-get install qemu-user-static') ??
      found(armLibraries, 'apt-get install libc6-arm64-cross libstdc++6-arm64-cross') ??
      found(armNode, 'node tools/other-runtimes.mjs 20-arm64')
    );
  }
  if (!isOther(host)) return undefined;
  const other = otherRuntime(host);
  return 'why' in other ? other.why : undefined;
}

function isOther(host: string): host is OtherRuntime {
  return (otherRuntimes as readonly string[]).includes(host);
}

/** Runs a job on the host. `workers` runs it in several threads at once and fails if two results differ. */
export async function playOn(host: string, order: PlayerOrder): Promise<LongPlayResult> {
  switch (host) {
    case 'node':
      return inProcess(process.execPath, [], order);
    case 'jitless':
      return inProcess(process.execPath, ['--jitless'], order);
    case 'worker':
      return inWorker(order);
    case 'workers': {
      const results = await Promise.all(Array.from({ length: workersAtOnce }, () => inWorker(order)));
      const texts = new Set(results.map((result) => JSON.stringify(result)));
      return texts.size === 1 ? results[0]! : { ...results[0]!, failure: 'threads differ' };
    }
    case 'arm64':
      return inProcess(emulator, ['-L', armLibraries, armNode], order);
    case 'chromium':
    case 'firefox':
      return inBrowser(host, order);
    default: {
      const other = otherRuntime(host as OtherRuntime);
      if ('why' in other) throw new Error(other.why);
      const [program, ...args] = other;
      return inProcess(program, args, order);
    }
  }
}

async function inProcess(program: string, flags: readonly string[], order: PlayerOrder): Promise<LongPlayResult> {
  const { stdout } = await run(program, [...flags, player, JSON.stringify(order)], { maxBuffer: outputBytesMax });
  return JSON.parse(stdout) as LongPlayResult;
}

function inWorker(order: PlayerOrder): Promise<LongPlayResult> {
  return new Promise((resolve, reject) => {
    new Worker(player, { workerData: order }).once('message', resolve).once('error', reject);
  });
}

/** Uses a worker, so that the browser does not ask whether to stop a slow script. */
const page = '<!doctype html><title>A long play</title><script>new Worker("/play.js")</script>';

/** Opens a URL in a real browser; the page sends the result. */
async function inBrowser(host: string, { game, wishes }: PlayerOrder): Promise<LongPlayResult> {
  const script = await bundled();
  const order = JSON.stringify({ document: JSON.parse(readFileSync(game, 'utf8')), wishes });
  const profile = mkdtempSync(join(tmpdir(), 'reenact-browser-'));
  let told: (result: LongPlayResult) => void;
  const result = new Promise<LongPlayResult>((resolve) => {
    told = resolve;
  });
  const server = createServer((request, response) => {
    const { url } = request;
    if (url === '/result') {
      let text = '';
      request.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      request.on('end', () => {
        response.end();
        told(JSON.parse(text) as LongPlayResult);
      });
      return;
    }
    const [type, body] =
      url === '/play.js'
        ? ['text/javascript', script]
        : url === '/order'
          ? ['application/json', order]
          : ['text/html', page];
    response.setHeader('content-type', type).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const program = browsers[host]!.find((path) => existsSync(path))!;
  const flags =
    host === 'firefox'
      ? ['--headless', '--no-remote', '--profile', profile, address]
      : ['--headless', '--no-sandbox', '--disable-gpu', `--user-data-dir=${profile}`, address];
  const browser = spawn(program, flags, { stdio: 'ignore', env: { ...process.env, HOME: profile }, detached: true });
  const gone = new Promise<never>((_, reject) => {
    browser.once('error', reject);
    browser.once('exit', (code) => reject(new Error(`${program} ended with code ${code}.`)));
  });
  gone.catch(() => {});
  try {
    return await Promise.race([result, gone]);
  } finally {
    browser.removeAllListeners('exit');
    const ended = new Promise((resolve) => browser.once('exit', resolve));
    // Also ends the processes that it started.
    if (browser.pid !== undefined && browser.exitCode === null) {
      process.kill(-browser.pid, 'SIGKILL');
      await ended;
    }
    await closed(server);
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function bundled(): Promise<string> {
  const input = join(root, 'test/determinism/in-browser.ts');
  const bundle = await rolldown({
    input,
    platform: 'browser',
    // Its code for Node is never run in a page.
    onwarn: (warning, warn) => void (warning.code === 'UNRESOLVED_IMPORT' || warn(warning)),
  });
  const { output } = await bundle.generate({ format: 'iife', minify: true });
  await bundle.close();
  return output[0].code;
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
