import { Command } from '@commander-js/extra-typings';
import { fileHelp, type OptionsOf, outputFile } from '../options.ts';

export function command() {
  return new Command('graph')
    .description('draw what leads to what in a game: its states, and what starts scripts')
    .argument('<file>', fileHelp)
    .argument('[name]', 'only the variable or script with this key or name, and the scripts next to it')
    .option('--scripts', 'draw all scripts, too: what starts them, which others they start, and what they set')
    .option('--output <file>', 'picture to write, *.svg or *.dot (default: a temporary SVG file)', outputFile)
    .option('--open', 'open the picture in the default program')
    .option('--json', 'print one JSON object and nothing else')
    .addHelpText(
      'after',
      '\nStates are those of variables that scripts only set to literals and to constants, which no script sets.\nA transition names its script and the comparisons of other variables that it needs; … stands for other conditions.',
    );
}

export type GraphOptions = OptionsOf<typeof command>;
