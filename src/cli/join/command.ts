import { Command } from '@commander-js/extra-typings';
import type { OptionsOf } from '../options.ts';

export function command() {
  return new Command('join')
    .description('build the game from the folder that reenact split wrote')
    .argument('<folder>', 'folder with the files of a game')
    .option('-o, --output <file>', 'file for the game (default: standard output)')
    .addHelpText('after', '\nGuide: docs/reviewing.md');
}

export type JoinOptions = OptionsOf<typeof command>;
