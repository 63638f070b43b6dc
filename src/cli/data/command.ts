import { Argument, Command } from '@commander-js/extra-typings';
import { type OptionsOf, wholeNumber } from '../options.ts';
import { dataActions } from './data-actions.ts';

export function command() {
  return new Command('data')
    .description(
      'back up, restore, list, prune, export or delete saved player data, bans and reports, even while the server runs',
    )
    .addArgument(new Argument('<action>', 'what to do').choices(dataActions))
    .argument('[name]', 'file for backup and restore, account for export-player and delete-player')
    .option('--config <file>', 'configuration file of the server, for its --data, --store and --journal')
    .option('--data <folder>', 'data folder of the server', 'reenact-data')
    .option(
      '--store <url>',
      'where the server keeps saved player data: redis://…, rediss://…, postgres://…, file:FOLDER (default: files in the data folder)',
    )
    .option('--store-url-file <file>', 'file with the URL for --store, so that a password in the URL stays secret')
    .option(
      '--journal <url>',
      'journal of the server; a journal at redis://… also keeps bans and reports (default: in the data folder)',
    )
    .option('--journal-url-file <file>', 'file with the URL for --journal, so that a password in the URL stays secret')
    .option('--days <number>', 'prune: remove accounts last saved more than this many days ago', wholeNumber(1, 36_500))
    .option(
      '--overwrite',
      'backup: replace an existing file; restore: also replace data that was saved after the backup',
    )
    .option('--json', 'print one JSON object and nothing else')
    .addHelpText(
      'after',
      '\nThe server saves a player again when the player leaves the game, so kick or ban a player before deleting or restoring data of the player.\nExit codes: 0 success, 1 damaged data was left out, 2 invalid usage.\nGuide: docs/server.md',
    );
}

export type DataOptions = OptionsOf<typeof command>;
