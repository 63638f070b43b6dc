import { Command, Option } from '@commander-js/extra-typings';
import type { OptionsOf } from '../options.ts';

export function command() {
  return new Command('codes')
    .description('explain the codes that are printed')
    .argument('[code]', 'only this code')
    .addOption(new Option('--json', 'print JSON').conflicts('markdown'))
    .option('--markdown', 'print the page docs/issues.md');
}

export type CodesOptions = OptionsOf<typeof command>;
