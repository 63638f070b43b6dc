import { Command } from '@commander-js/extra-typings';
import {
  dialectOption,
  exceptOption,
  jobsOption,
  lengthOption,
  type OptionsOf,
  playersOption,
  secondsOfTime,
  weekSeconds,
} from '../options.ts';

/** The maximum length of a play for --minimize or --maximize, in seconds, unless --within sets another one. */
export const objectiveSecondsMax = 60;

export function command() {
  return new Command('reach')
    .description('look for inputs with which an expression becomes true, and record a short run')
    .argument('<file>', 'game definition, plain or gzip')
    .argument('[expression]', 'expression that should become true, such as \'state == "over"\'')
    .option(
      '--minimize <expression>',
      'look for the run with the smallest value of this expression; if [expression] is given, only moments at which it is true count',
    )
    .option(
      '--maximize <expression>',
      'look for the run with the greatest value of this expression; if [expression] is given, only moments at which it is true count',
    )
    .option(
      '--within <time>',
      `maximum simulated time of a run (default with --minimize and --maximize: ${objectiveSecondsMax}s)`,
      secondsOfTime,
    )
    .addOption(
      lengthOption(
        'how long to search; a number of ticks makes the result independent of the machine',
        '1min',
        weekSeconds,
      ),
    )
    .option('--seed <seed>', 'seed of the search', '0')
    .addOption(playersOption())
    .addOption(jobsOption())
    .option('--output <folder>', 'folder for the journal and the scenario (default: .reenact/reach/<game>)')
    .addOption(dialectOption())
    .addOption(exceptOption())
    .option('--json', 'print one JSON object and nothing else')
    .addHelpText(
      'after',
      '\nExit codes: 0 reached, 2 invalid usage, 3 not reached, 130 interrupted.\nGuide: docs/explore.md',
    );
}

export type ReachOptions = OptionsOf<typeof command>;
