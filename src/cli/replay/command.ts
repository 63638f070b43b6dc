import { Command } from '@commander-js/extra-typings';
import type { OptionsOf } from '../options.ts';

const replayHelp = `
Exit codes: 0 success, 2 invalid usage or unreadable file, 4 the run differs from the recording.`;

export function command() {
  return new Command('replay')
    .description('replay a journal')
    .argument('<journal>', 'file written by reenact run --record')
    .option('--game <file>', 'game definition (default: the path recorded in the journal)')
    .option('--to <time>', 'stop at this moment, such as 12 s, 1.5 min or 240 ticks; a plain number is a tick')
    .option('--verify', 'compare with the recording; print the first tick and field that differ')
    .option('--json', 'print one JSON object and nothing else')
    .addHelpText('after', replayHelp);
}

export type ReplayCommandOptions = OptionsOf<typeof command>;
