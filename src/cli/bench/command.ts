import { Command } from '@commander-js/extra-typings';
import {
  botsMax,
  collected,
  decimalNumber,
  dialectOption,
  exceptOption,
  fileHelp,
  type OptionsOf,
  outputFile,
  timeOption,
  wholeNumber,
  wholeNumbers,
} from '../options.ts';

export function command() {
  return new Command('bench')
    .description('measure how long a tick of a game takes, and which scripts take the time')
    .argument('<file...>', `${fileHelp}; several games take turns and are compared`)
    .option('--bots <numbers>', 'numbers of players to measure, such as 1,10,100', wholeNumbers(0, botsMax), [8])
    .addOption(timeOption('simulated time to measure', '30s'))
    .option('--runs <number>', 'number of runs, of which the median is reported', wholeNumber(1, 1000), 3)
    .option('--seed <text>', 'seed of all random numbers in game and bots', '0')
    .addOption(dialectOption())
    .addOption(exceptOption())
    .option(
      '--rate <hertz>',
      'measure at this frame rate instead of the frame rate of the games',
      decimalNumber(1, 240),
    )
    .option(
      '--require <limit>',
      'fail unless this holds for every row, such as "p99 < 8 ms" or, with --baseline, "ratio < 1.1"; repeatable',
      collected,
      [],
    )
    .option(
      '--baseline <file>',
      'compare with a file written by --save; the command fails only if a --require is not met',
    )
    .option('--save <file>', 'write all figures as JSON, or as CSV with a line per tick (*.csv)', outputFile)
    .option('--profile <file>', 'write a script profile of the first game for speedscope', outputFile)
    .option('--json', 'print one JSON object and nothing else')
    .addHelpText(
      'after',
      '\nExit codes: 0 success, 1 a requirement is not met, or a game does not run the same when repeated,\n 2 invalid usage, 130 interrupted: prints what was measured.',
    );
}

export type BenchCommandOptions = OptionsOf<typeof command>;
