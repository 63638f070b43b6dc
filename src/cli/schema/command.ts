import { Command, Option } from '@commander-js/extra-typings';
import type { OptionsOf } from '../options.ts';

export function command() {
  return new Command('schema')
    .description('print the JSON Schema of game definitions')
    .option('--pretty', 'indent the output')
    .addOption(new Option('--scenario', 'print the schema of scenario files instead').conflicts('serve'))
    .option('--serve', 'print the schema of the configuration of reenact serve instead');
}

export type SchemaOptions = OptionsOf<typeof command>;
