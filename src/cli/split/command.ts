import { Command } from '@commander-js/extra-typings';
import { fileHelp } from '../options.ts';

export function command() {
  return new Command('split')
    .description('split a game into a folder with one file for each script and type, for reviews and merges')
    .argument('<file>', fileHelp)
    .argument('<folder>', 'folder to write; of a game that was split before, it is updated')
    .addHelpText('after', '\n`reenact join` makes a game of the folder. Guide: docs/reviewing.md');
}
