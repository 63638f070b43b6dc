import { Command } from '@commander-js/extra-typings';
import type { OptionsOf } from '../options.ts';

export function command() {
  return new Command('ops')
    .description('list the actions, functions and triggers of scripts')
    .argument('[word]', 'only operations and triggers with this word in their name or description')
    .option('--json', 'print JSON');
}

export type OpsOptions = OptionsOf<typeof command>;
