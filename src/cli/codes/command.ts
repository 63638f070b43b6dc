import { Command } from '@commander-js/extra-typings';
import type { OptionsOf } from '../options.ts';

export function command() {
  return new Command('codes')
    .description('explain the codes of issues, errors and other messages')
    .argument('[code]', 'only this code')
    .option('--json', 'print JSON');
}

export type CodesOptions = OptionsOf<typeof command>;
