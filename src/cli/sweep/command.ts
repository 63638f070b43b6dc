import { Command, Option } from '@commander-js/extra-typings';
import {
  botsMax,
  botsOption,
  collected,
  decimalNumber,
  dialectOption,
  exceptOption,
  type OptionsOf,
  outputFile,
  triesOption,
  wholeNumber,
} from '../options.ts';
import { seedsOf, settingsOf } from './values.ts';

export function command() {
  return new Command('sweep')
    .description('run a game with all combinations of values and seeds, and compare the results')
    .argument('<file>', 'game definition, plain or gzip')
    .addOption(
      new Option('--seeds <seeds>', 'a range 1..500, a list a,b,c, or a number of seeds')
        .argParser(seedsOf)
        .default(seedsOf('20'), '20'),
    )
    .option(
      '--set <path=values>',
      'path in the definition and values to try: 5..9, 0.5..2:0.25 or a,b,c; repeatable',
      settingsOf,
      [],
    )
    .requiredOption('--measure <expression>', 'expression to evaluate at the end of each run; repeatable', collected)
    .addOption(botsOption(botsMax))
    .addOption(triesOption())
    .option('--seconds <number>', 'maximum simulated time of a run', decimalNumber(0, 24 * 3600), 60)
    .option('--until <expression>', 'end a run as soon as this is true')
    .addOption(dialectOption())
    .addOption(exceptOption())
    .option('--workers <number>', 'threads (default: one for each core)', wholeNumber(1, 64))
    .option('--output <file>', 'also write *.csv, with a line per run, or *.json', outputFile)
    .option('--json', 'print one JSON object and nothing else')
    .addHelpText('after', '\nExit codes: 0 success, 2 invalid usage, 130 interrupted.\nGuide: docs/measuring.md');
}

export type SweepCommandOptions = OptionsOf<typeof command>;
