import { Command } from '@commander-js/extra-typings';
import { fileHelp, type OptionsOf } from '../options.ts';

export function command() {
  return new Command('print')
    .description('print a game as text: types, scripts, map, settings')
    .argument('<file>', fileHelp)
    .argument('[script]', 'only the scripts with this key or name')
    .option('--write <edited>', 'edited output of this command, whose scripts are written back into the game')
    .addHelpText(
      'after',
      '\nThe text does not depend on the order of keys, so it suits git diff. Scripts can be edited in the text.\nGuide: docs/reviewing.md',
    );
}

export type PrintOptions = OptionsOf<typeof command>;
