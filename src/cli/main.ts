#!/usr/bin/env node
import module from 'node:module';
import type { Terminal } from '../text/terminal.ts';

// From 22.1 on, Node can keep what it compiled of a program for the next start, which is a tenth of a short run. Only what is imported after
// this is kept, so that the program itself is.
(module as { enableCompileCache?: () => unknown }).enableCompileCache?.();
const { main } = await import('./program.ts');

const terminal: Terminal = {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  onInterrupt(listener) {
    process.once('SIGINT', listener);
    return () => process.off('SIGINT', listener);
  },
};

// A reader that closes its end early (`| head`) has what it wanted; that is no failure of ours.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit();
    throw error;
  });
}

process.exitCode = await main(process.argv.slice(2), terminal);
