import { Command } from '@commander-js/extra-typings';
import { fileHelp } from '../options.ts';

export function command() {
  return new Command('split')
    .description('split a game into a folder with one file for each script and type, for reviews and merges')
    .argument('<file>', fileHelp)
    .argument('<folder>', 'folder to write; a folder that an earlier reenact split wrote is updated')
    .addHelpText('after', '\n`reenact join` builds the game from the folder again. Guide: docs/reviewing.md');
}
