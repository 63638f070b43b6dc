import { Command } from '@commander-js/extra-typings';
import { type OptionsOf, ticksMax, wholeNumber } from '../options.ts';

const replayHelp = `
Exit codes: 0 success, 2 invalid usage or unreadable file, 4 the run differs from the recording.`;

export function command() {
  return new Command('replay')
    .description('replay a journal')
    .argument('<journal>', 'file written by reenact run --record')
    .option('--game <file>', 'game definition (default: the path recorded in the journal)')
    .option('--to <tick>', 'stop at this tick', wholeNumber(0, ticksMax))
    .option('--verify', 'compare with the recording; print the first tick and field that differ')
    .option('--json', 'print one JSON object and nothing else')
    .addHelpText('after', replayHelp);
}

export type ReplayCommandOptions = OptionsOf<typeof command>;
