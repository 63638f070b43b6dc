import { Command } from '@commander-js/extra-typings';
import {
  collected,
  dialectOption,
  exceptOption,
  jobsOption,
  lengthOption,
  type OptionsOf,
  outputFile,
  playersOption,
  weekSeconds,
  wholeNumber,
} from '../options.ts';

export function command() {
  return new Command('explore')
    .description('play a game in many ways to find mistakes in it')
    .argument('<file>', 'game definition, plain or gzip')
    .addOption(
      lengthOption(
        'total time for playing, replaying and shrinking; a number of ticks makes the result independent of the machine',
        '5min',
        weekSeconds,
      ),
    )
    .option('--seed <seed>', 'seed of the search', '0')
    .addOption(playersOption())
    .option('--never <expression>', 'report a run in which this expression becomes true; repeatable', collected, [])
    .option('--always <expression>', 'report a run in which this expression becomes false; repeatable', collected, [])
    .option(
      '--within <time expression>',
      'report a run in which the expression does not become true within this time, such as "60s round > 1"; repeatable',
      collected,
      [],
    )
    .option(
      '--reachable <time expression>',
      'report a run after which bots can no longer make the expression true within this time, such as "60s state == 1"; repeatable',
      collected,
      [],
    )
    .option(
      '--actions <number>',
      'report a tick in which scripts run more than this number of actions',
      wholeNumber(1, Number.MAX_SAFE_INTEGER),
    )
    .addOption(jobsOption())
    .option(
      '--corpus <folder>',
      'folder with the findings of earlier runs: replay these findings, continue where the last run stopped, and update the folder',
    )
    .option(
      '--graph <file>',
      'SVG file to write: the states of the game, with dashes where a transition did not happen in this run',
      outputFile,
    )
    .addOption(dialectOption())
    .addOption(exceptOption())
    .option('--json', 'print one JSON object and nothing else')
    .addHelpText(
      'after',
      '\nExit codes: 0 nothing wrong found, 1 findings, or suspected problems that were not replayed for lack of time, 2 invalid usage, 130 interrupted.\nGuide: docs/explore.md',
    );
}

export type ExploreCommandOptions = OptionsOf<typeof command>;
