import { Command, Option } from '@commander-js/extra-typings';
import { botsMax, dialectOption, exceptOption, fileHelp, type OptionsOf, timeOption, wholeNumber } from '../options.ts';

export function command() {
  return new Command('diff')
    .description('compare the types, scripts and settings of two versions of a game')
    .argument('<old>', fileHelp)
    .argument('<new>', fileHelp)
    .addOption(new Option('--json', 'print one JSON object and nothing else').conflicts('markdown'))
    .option('--markdown', 'print Markdown for a pull request: a summary with folded details')
    .option('--play', 'also play both games, and report when they first differ')
    .option('--seeds <number>', 'with --play: number of plays, each with another seed', wholeNumber(1, 1000), 5)
    .addOption(timeOption('with --play: simulated time of a play', '30s'))
    .option('--bots <number>', 'with --play: number of bots that join and play', wholeNumber(0, botsMax), 4)
    .addOption(dialectOption())
    .addOption(exceptOption())
    .addHelpText(
      'after',
      '\nExit codes: 0 equal, 1 different, 2 invalid usage or unreadable file.\nGuide: docs/reviewing.md',
    );
}

export type DiffOptions = OptionsOf<typeof command>;
