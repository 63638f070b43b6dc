import { Command } from '@commander-js/extra-typings';
import { dialectOption, exceptOption, fileHelp, type OptionsOf } from '../options.ts';

export function command() {
  return new Command('inspect')
    .description('summarise a game definition')
    .argument('<file>', fileHelp)
    .addOption(dialectOption())
    .addOption(exceptOption())
    .option('--json', 'print one JSON object and nothing else');
}

export type InspectOptions = OptionsOf<typeof command>;
