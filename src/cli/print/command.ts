import { Command } from '@commander-js/extra-typings';
import { fileHelp, type OptionsOf } from '../options.ts';

export function command() {
  return new Command('print')
    .description('print a game as text: types, scripts, map, settings')
    .argument('<file>', fileHelp)
    .argument('[script]', 'only the scripts with this key or name')
    .option('--write <edited>', 'write the scripts of this edited text back into the game')
    .addHelpText(
      'after',
      '\nThe text does not depend on the order of keys, so that git diff can use it, and scripts can be edited in it: see docs/reviewing.md.',
    );
}

export type PrintOptions = OptionsOf<typeof command>;
