#!/usr/bin/env node
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Terminal } from '../text/terminal.ts';
import { keepCompiledCode } from './code-cache.ts';

const args = process.argv.slice(2);
const isServer = args[0] === 'serve';

// SIGTERM ends a server also while its program is loaded. Process 1 of a container would otherwise miss the signal.
let isTerminated = false;
const noteEarly = () => {
  isTerminated = true;
};
if (isServer) process.on('SIGTERM', noteEarly);

const terminal: Terminal = {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
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

// A reader that closes its end early (`| head`) has what it wanted; that is no failure of ours.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit();
    throw error;
  });
}

// Only what is loaded after this is kept, so that the program itself is. No `await` at the top: the bundle is CommonJS.
keepCompiledCode(dirname(fileURLToPath(import.meta.url)), args[0] ?? '');
void import('./program.ts')
  .then(({ main }) => main(args, terminal))
  .then((code) => {
    process.exitCode = code;
    // Something outside that never answers does not keep a server that has ended.
    if (isServer) setTimeout(() => process.exit(code), lingerMs).unref();
  });
