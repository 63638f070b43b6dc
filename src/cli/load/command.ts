import { Command } from '@commander-js/extra-typings';
import { botsMax, decimalNumber, type OptionsOf, timeOption, wholeNumber } from '../options.ts';

export function command() {
  return new Command('load')
    .description('load-test a server with bots and report the cost')
    .argument('<url>', 'URL of the server, such as http://localhost:8080')
    .option('--players <number>', 'number of bots, each with its own connection', wholeNumber(1, botsMax), 20)
    .addOption(timeOption('how long to measure after all bots have joined', '30s'))
    .option(
      '--rate <number>',
      'actions of each bot per second (default: the frame rate of the room)',
      decimalNumber(1, 240),
    )
    .option('--seed <text>', 'seed of all random numbers of the bots', '0')
    .option('--room <id>', 'room to join (default: the server chooses)')
    .option('--token <token>', 'account token, for servers that require one')
    .option(
      '--game <file>',
      'game definition with its scripts, so that bots also send inputs that only scripts handle (clicks, data, trades)',
    )
    .option('--json', 'print one JSON object and nothing else')
    .addHelpText('after', '\nExit codes: 0 success, 2 invalid usage, or no server accepts players.');
}

export type LoadOptions = OptionsOf<typeof command>;
