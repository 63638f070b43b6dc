import { Command, Option } from '@commander-js/extra-typings';
import { exceptOption, type OptionsOf } from '../options.ts';

const divergeHelp = `
Both runs are simulated again and compared tick by tick. If they are equal, their recordings are compared.
Exit codes: 0 no difference, 2 invalid usage or unreadable file, 4 a difference was found.`;

export function command() {
  return new Command('diverge')
    .description('find the first tick and field in which two runs differ')
    .argument('<journal>', 'file written by reenact run --record')
    .argument('[other]', 'journal of the second run (default: the same journal)')
    .option('--game <file>', 'game definition of the first run (default: the path recorded in the journal)')
    .option('--other-game <file>', 'game definition of the second run (default: the path recorded in its journal)')
    .option('--seed <text>', 'seed of the second run')
    .addOption(new Option('--dialect <name>', 'dialect of the second run').choices(['standard', 'moddio']))
    .addOption(exceptOption())
    .option('--ignore <path...>', 'ignore fields whose path starts with this text, such as random')
    .option('--json', 'print one JSON object and nothing else')
    .addHelpText('after', divergeHelp);
}

export type DivergeOptions = OptionsOf<typeof command>;
