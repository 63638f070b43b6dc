import type { Terminal } from '../../text/index.ts';
import { exitCodes } from '../failure.ts';
import { packageVersion } from '../version.ts';

export function version(_options: object, terminal: Terminal): number {
  terminal.stdout.write(`${packageVersion()}\n`);
  return exitCodes.ok;
}
