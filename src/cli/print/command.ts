import { Command } from '@commander-js/extra-typings';
import { fileHelp } from '../options.ts';

export function command() {
  return new Command('print')
    .description('print a game as text: types, scripts, map, settings')
    .argument('<file>', fileHelp)
    .argument('[script]', 'only the scripts with this key or name')
    .addHelpText(
      'after',
      '\nThe text does not depend on the order of keys, so that git diff can use it: see docs/reviewing.md.',
    );
}
