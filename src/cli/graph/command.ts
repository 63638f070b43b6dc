import { Command } from '@commander-js/extra-typings';
import { fileHelp, type OptionsOf, outputFile } from '../options.ts';

export function command() {
  return new Command('graph')
    .description('draw what leads to what in a game: its states, and what starts scripts')
    .argument('<file>', fileHelp)
    .option('--svg <file>', 'picture to write (default: a temporary file, whose path is printed)', outputFile)
    .option('--open', 'open the picture in the default browser')
    .option('--json', 'print one JSON object and nothing else')
    .addHelpText(
      'after',
      '\nStates are those of variables that scripts only set to literals and to constants, which no script sets.\nA transition names its script and the comparisons of other variables that it needs; … stands for other conditions.',
    );
}

export type GraphOptions = OptionsOf<typeof command>;
