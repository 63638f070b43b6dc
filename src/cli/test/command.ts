import { Command, Option } from '@commander-js/extra-typings';
import {
  collected,
  decimalNumber,
  jobsOption,
  type OptionsOf,
  openDialectOption,
  outputFile,
  wholeNumber,
} from '../options.ts';

export function command() {
  return new Command('test')
    .description('run scenarios and report failures')
    .argument('[path...]', 'scenario files (*.scenario.yaml, *.scenario.json), or folders that contain them', ['.'])
    .option('-t, --filter <text>', 'only scenarios whose title contains this text or matches /this pattern/')
    .option('--tag <tag...>', 'only scenarios with all of these tags')
    .option(
      '--changed [commit]',
      'only scenarios that changed since a commit in git, or whose game changed (default: HEAD)',
    )
    .addOption(openDialectOption('the dialect of each scenario'))
    .addOption(new Option('--seed <text>', 'seed to use instead of those in the scenarios').conflicts('seeds'))
    .option('--seeds <number>', 'run each scenario with this many seeds', wholeNumber(1, 100_000))
    .addOption(jobsOption())
    .option(
      '--reporter <name[=file]>',
      'pretty, github, json, junit, html or lcov (coverage for genhtml and editors; default: pretty); repeatable',
      collected,
      [],
    )
    .addOption(new Option('--json', 'short for --reporter json').conflicts('reporter'))
    .option('--html <file>', 'also write the report as a page; short for --reporter html=<file>', outputFile)
    .option('--output <file>', 'file for the report (default: reenact-report.html or coverage/lcov.info)', outputFile)
    .option('--pictures <folder>', 'folder for pictures of failures; "" for none', '.reenact')
    .option('--long', 'print everything that is known about a failure, not only the first lines')
    .option('--coverage', 'report which scripts, branches and triggers of the games ran')
    .option('--mutate', 'mutation testing: change the games in one place at a time; report undetected changes')
    .addOption(
      minOption('--coverage-min <percent>', 'fail if less than this percentage of the actions of a game ran').implies({
        coverage: true,
      }),
    )
    .addOption(
      minOption(
        '--mutation-min <percent>',
        'fail if less than this percentage of the changes to a game is detected',
      ).implies({ mutate: true }),
    )
    .option('-u, --update', 'write the actual values of `value` steps into the scenario files as expected values')
    .option('-w, --watch', 'run again whenever a file changes')
    .option('--allow-only', 'allow scenarios marked `only` although the environment variable CI is set')
    .addOption(new Option('--bail', 'stop at the first failure').conflicts(['mutate', 'update']))
    .option('--last-failed', 'only scenarios that failed in the last run; all scenarios if none failed')
    .option('--list', 'list the scenarios without running them')
    .option('--no-times', 'leave durations out of reports, so that two runs produce the same report')
    .addHelpText(
      'after',
      '\nExit codes: 0 all passed, 1 some failed or a threshold is not met, 2 invalid usage or invalid scenario\nfile, 3 no scenario was run, 130 interrupted: prints what was run and what was not.\nGuide: docs/scenarios.md',
    );
}

function minOption<const Flags extends string>(flags: Flags, text: string) {
  return new Option(flags, text).argParser(decimalNumber(0, 100));
}

export type TestOptions = OptionsOf<typeof command>;
