#!/usr/bin/env node

/** The commands: each has a folder with its declaration and its code, which are loaded on demand. */

import { createRequire } from 'node:module';
import { loadCompileCache } from '../machine/index.ts';
import type { Terminal } from '../text/index.ts';

const args = process.argv.slice(2);
const isServer = args[0] === 'serve';

// A server must react to SIGTERM even while it is still loading: process 1 of a container ignores signals without a
// handler.
let isTerminated = false;
const noteEarly = () => {
  isTerminated = true;
};
if (isServer) process.on('SIGTERM', noteEarly);

const guarded = new Set<NodeJS.WriteStream>();

/** If the reader closes the pipe early (`| head`), the program exits quietly, because the reader has read enough. */
function open(stream: NodeJS.WriteStream) {
  if (guarded.has(stream)) return stream;
  guarded.add(stream);
  return stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit();
    throw error;
  });
}

// Each stream is opened on first use, because creating a standard stream takes some milliseconds.
const terminal: Terminal = {
  get stdin() {
    return process.stdin;
  },
  get stdout() {
    return open(process.stdout);
  },
  get stderr() {
    return open(process.stderr);
  },
  env: process.env,
  onInterrupt(listener) {
    // For a server, `onTerminate` below handles SIGTERM.
    const signals = isServer ? (['SIGINT'] as const) : (['SIGINT', 'SIGTERM'] as const);
    for (const signal of signals) process.once(signal, listener);
    return () => {
      for (const signal of signals) process.off(signal, listener);
    };
  },
  onTerminate(listener) {
    // Uses `on` instead of `once`, because npx and a service manager may each send a signal, and the second one must
    // not kill a server that is draining.
    process.on('SIGTERM', listener);
    process.off('SIGTERM', noteEarly);
    if (isTerminated) listener();
    return () => process.off('SIGTERM', listener);
  },
};

/** How long a stopped server waits for its last log lines to be read, in ms. */
const lingerMs = 1000;

// This is not a top-level `await`, because the bundle is CommonJS.
void run().then((code) => {
  process.exitCode = code;
  // A stopped server exits even if some external resource never closes.
  if (isServer) setTimeout(() => process.exit(code), lingerMs).unref();
});

async function run() {
  const { enableCompileCache } = await loadCompileCache();
  if (args[0] === 'run') {
    // A run is short and allocates mostly garbage in its first second, so the young generation may grow to its full
    // size immediately. `require` is used, because `import()` would load Node's ES module loader.
    const { setFlagsFromString } = createRequire(import.meta.url)('node:v8') as typeof import('node:v8');
    setFlagsFromString('--semi-space-growth-factor=16');
    // Node's cache keeps the functions that are compiled while a module loads. By default, V8 compiles a function when
    // it is first called, so each start would compile most of the engine again.
    if (enableCompileCache !== undefined) setFlagsFromString('--no-lazy');
  }
  // Only modules loaded after this call are cached, so the rest of the program is imported after it.
  enableCompileCache?.();
  // The version is printed here, because loading the commands would take longer than everything else.
  if (args.length === 1 && (args[0] === '--version' || args[0] === '-v')) {
    const { packageVersion } = await import('./version.ts');
    terminal.stdout.write(`${packageVersion()}\n`);
    return 0;
  }
  const { main } = await import('./program.ts');
  return main(args, terminal);
}
