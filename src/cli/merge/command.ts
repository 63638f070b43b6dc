import { Command } from '@commander-js/extra-typings';
import { collected, type OptionsOf, outputFiles } from '../options.ts';
import { coverageMinOption, mutationMinOption } from '../thresholds.ts';

export function command() {
  return new Command('merge')
    .description('merge the results of a test or a sweep that was split with --shard')
    .argument('<path...>', 'files written by the reporter blob or by sweeps, or folders of them')
    .option(
      '--reporter <name[=file]>',
      'for tests: pretty, github, json, junit, tap or html (default: pretty); repeatable',
      collected,
      [],
    )
    .option(
      '--output <file>',
      'for tests: file of the report that names none; for sweeps: *.html, *.csv or *.json, repeatable',
      outputFiles,
      [],
    )
    .option('--pictures <folder>', 'folder for pictures of failures; "" for none', '.reenact')
    .addOption(coverageMinOption())
    .addOption(mutationMinOption())
    .option('--no-times', 'leave durations out of reports')
    .option('--json', 'for sweeps: print one JSON object and nothing else')
    .addHelpText(
      'after',
      '\nExit codes: those of reenact test; 2 if parts are missing or do not belong together.\nGuide: docs/scenarios.md, docs/measuring.md',
    );
}

export type MergeOptions = OptionsOf<typeof command>;
