import { Command } from '@commander-js/extra-typings';
import type { OptionsOf } from '../options.ts';

const addHelp = `
A recipe adds what is missing in the game, and does not change what is there: objects are merged member by member, lists
get the entries that are missing, and a script, type or variable whose key is in use gets another key. The additions are
recorded in a file next to the game, so that --undo can remove them, and later recipes can use them. If the scenarios of a
recipe fail in the game, nothing is written.
Exit codes: 0 success, 2 invalid usage or unreadable file.
Guide: docs/recipes.md`;

export function command() {
  return new Command('add')
    .description('add recipes such as teams, gun and shop to a game, with their scenarios')
    .argument('[recipes...]', 'recipes to add; without names, the command lists all recipes')
    .option('--game <file>', 'game definition to change', 'game.json')
    .option('--undo', 'remove the recipes, if their additions are unchanged')
    .option(
      '--unit <type>',
      'key of the unit type that players control (default: the types of which scripts create units for players)',
    )
    .option('--dry-run', 'show what would change, and write nothing')
    .option('--json', 'print one JSON object and nothing else')
    .addHelpText('after', addHelp);
}

export type AddOptions = OptionsOf<typeof command>;
