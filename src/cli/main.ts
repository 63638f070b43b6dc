#!/usr/bin/env node
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Terminal } from '../text/terminal.ts';

const args = process.argv.slice(2);
const isServer = args[0] === 'serve';

// SIGTERM ends a server also while its program is loaded. Process 1 of a container would otherwise miss the signal.
let isTerminated = false;
const noteEarly = () => {
  isTerminated = true;
};
if (isServer) process.on('SIGTERM', noteEarly);

const guarded = new Set<NodeJS.WriteStream>();

/** A reader that closes its end early (`| head`) has what it wanted; that is no failure of ours. */
function open(stream: NodeJS.WriteStream): NodeJS.WriteStream {
  if (guarded.has(stream)) return stream;
  guarded.add(stream);
  return stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit();
    throw error;
  });
}

// Opened when they are first used: a stream of the process costs a start some milliseconds.
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
    process.once('SIGINT', listener);
    return () => process.off('SIGINT', listener);
  },
  onTerminate(listener) {
    // Not once: npx and a service manager each send a signal. The second one must not kill a server that drains.
    process.on('SIGTERM', listener);
    process.off('SIGTERM', noteEarly);
    if (isTerminated) listener();
    return () => process.off('SIGTERM', listener);
  },
};

/** The time that a server's last lines have to be read, ms. */
const lingerMs = 1000;

// No `await` at the top: the bundle is CommonJS.
void run().then((code) => {
  process.exitCode = code;
  // Something outside that never answers does not keep a server that has ended.
  if (isServer) setTimeout(() => process.exit(code), lingerMs).unref();
});

async function run(): Promise<number> {
  if (args[0] === 'run') {
    // A play is short, and most of its first second is garbage. The young generation grows to its full size at once, not by half steps.
    // Not by `import()`, which makes Node load the part of it that loads ES modules.
    const { setFlagsFromString } = createRequire(import.meta.url)('node:v8') as typeof import('node:v8');
    setFlagsFromString('--semi-space-growth-factor=16');
  }
  // A file of its own, which threads load as well. Only modules that are loaded after this are kept: the program itself is.
  const { cacheCompiledCode } = await import('../machine/compiled-code.ts');
  cacheCompiledCode(dirname(fileURLToPath(import.meta.url)), args[0] ?? '');
  // The commands are not needed for it, and are most of its time.
  if (args.length === 1 && (args[0] === '--version' || args[0] === '-v')) {
    const { packageVersion } = await import('./version.ts');
    terminal.stdout.write(`${packageVersion()}\n`);
    return 0;
  }
  const { main } = await import('./program.ts');
  return main(args, terminal);
}
