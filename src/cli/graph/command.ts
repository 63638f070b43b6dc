import { Command } from '@commander-js/extra-typings';
import { fileHelp, type OptionsOf, outputFile } from '../options.ts';

export function command() {
  return new Command('graph')
    .description('draw the states of a game with their transitions, and what starts its scripts')
    .argument('<file>', fileHelp)
    .argument('[name]', 'only the variable or script with this key or name, and the scripts that are connected with it')
    .option('--scripts', 'also draw all scripts: what starts them, the scripts they start, and the variables they set')
    .option('--output <file>', 'picture to write, *.svg or *.dot (default: a temporary SVG file)', outputFile)
    .option('--open', 'open the picture in the default program')
    .option('--json', 'print one JSON object and nothing else')
    .addHelpText(
      'after',
      '\nA variable has states if scripts set it only to literals and constants (variables that no script sets).\nA transition names its script and the comparisons of other variables that it requires; … stands for other conditions.',
    );
}

export type GraphOptions = OptionsOf<typeof command>;
