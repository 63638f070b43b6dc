import { Command } from '@commander-js/extra-typings';
import {
  botsMax,
  botsOption,
  collected,
  decimalNumber,
  dialectOption,
  exceptOption,
  type OptionsOf,
  outputFile,
  outputFiles,
  shardOption,
  triesOption,
  wholeNumber,
} from '../options.ts';

export function command() {
  return new Command('sweep')
    .description('run a game with all combinations of values and seeds, and compare the results')
    .argument('<file>', 'game definition, plain or gzip')
    .option('--seeds <seeds>', 'a range 1..500, a list a,b,c, or a number of seeds', '1..20')
    .option(
      '--set <path=values>',
      'path in the definition and values to try: 5..9, 0.5..2:0.25 or a,b,c; repeatable',
      collected,
      [],
    )
    .requiredOption('--measure <expression>', 'expression to evaluate at the end of each run; repeatable', collected)
    .addOption(botsOption(botsMax))
    .addOption(triesOption())
    .option('--seconds <number>', 'maximum simulated time of a run', decimalNumber(0, 24 * 3600), 60)
    .option('--until <expression>', 'end a run as soon as this is true')
    .addOption(dialectOption())
    .addOption(exceptOption())
    .addOption(shardOption())
    .option('--workers <number>', 'threads (default: one for each core)', wholeNumber(1, 64))
    .option(
      '--results <file>',
      'file that collects results, so that an interrupted sweep can continue (default: a file in .reenact)',
      outputFile,
    )
    .option('--fresh', 'discard earlier results')
    .option('--output <file>', 'also write *.html, *.csv or *.json; repeatable', outputFiles, [])
    .option('--json', 'print one JSON object and nothing else')
    .addHelpText(
      'after',
      '\nExit codes: 0 success, 2 invalid usage, 130 interrupted: the same command continues.\nGuide: docs/measuring.md',
    );
}

export type SweepCommandOptions = OptionsOf<typeof command>;
