import { Command, Option } from '@commander-js/extra-typings';
import type { OptionsOf } from '../options.ts';

export function command() {
  return new Command('ops')
    .description('list the actions, functions and triggers of scripts')
    .argument('[word]', 'only those with this word in their name or description')
    .addOption(new Option('--json', 'print JSON').conflicts('markdown'))
    .option('--markdown', 'print the page docs/ops.md');
}

export type OpsOptions = OptionsOf<typeof command>;
