import { Command } from '@commander-js/extra-typings';
import { debuggerHelp } from '../../journal/index.ts';
import { debuggedPlay, debugSeed, dialectOption, exceptOption, lengthOption, type OptionsOf } from '../options.ts';

const debugHelp = `
Commands, one per line of standard input:
${debuggerHelp}

Guide: docs/why.md`;

const { bots } = debuggedPlay;

export function command() {
  return new Command('debug')
    .description('debug a recording, or a run of a game by bots, forward and back')
    .argument('<file>', 'game definition, or file written by reenact run --record')
    .option('--game <file>', 'game definition of a recording (default: the path recorded in it)')
    .addOption(lengthOption('how long bots play a game', `${debuggedPlay.seconds.otherwise}s`))
    .option('--bots <number>', 'number of bots that play the game', bots.read, bots.otherwise)
    .option('--seed <text>', 'seed of the run', debugSeed)
    .addOption(dialectOption())
    .addOption(exceptOption())
    .addHelpText('after', debugHelp);
}

export type DebugOptions = OptionsOf<typeof command>;
