import { debuggerHelp } from '../../journal/index.ts';
import { type OptionsOf, playedCommand } from '../options.ts';

const debugHelp = `
Commands, one per line of standard input:
${debuggerHelp}

Guide: docs/why.md`;

export function command() {
  return playedCommand('debug')
    .description('debug a recording, or a game that bots play: step forward and back')
    .addHelpText('after', debugHelp);
}

export type DebugOptions = OptionsOf<typeof command>;
