import { Command, Option } from '@commander-js/extra-typings';
import { dialectOption, exceptOption, fileHelp, type OptionsOf, wholeNumber } from '../options.ts';

export function command() {
  return new Command('check')
    .description('check game definitions for problems')
    .argument('<file...>', fileHelp)
    .addOption(
      new Option('--format <name>', 'format of the report')
        .choices(['pretty', 'json', 'sarif', 'unix'])
        .default('pretty'),
    )
    .addOption(new Option('--json', 'short for --format json').conflicts('format'))
    .option('--strict', 'fail on warnings, too')
    .option(
      '--max-warnings <number>',
      'fail if there are more warnings than this',
      wholeNumber(0, Number.MAX_SAFE_INTEGER),
    )
    .addOption(dialectOption())
    .addOption(exceptOption())
    .option('--all', 'with --format pretty: list every issue, not only the first twenty of each code')
    .option('--fix', 'repair typos in names, numbers written as strings and old field names; change nothing else')
    .addOption(new Option('--dry-run', 'show what --fix would repair, and write nothing').implies({ fix: true }))
    .addHelpText(
      'after',
      '\nSeverities of issues, and exceptions, are set in reenact.config.json, or under "reenact" in package.json, in the folder of the game or above.\nExit codes: 0 no errors, 1 errors or too many warnings (see --strict and --max-warnings), 2 invalid usage or unreadable file.',
    );
}

export type CheckOptions = OptionsOf<typeof command>;
