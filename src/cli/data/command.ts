import { Argument, Command } from '@commander-js/extra-typings';
import { type OptionsOf, wholeNumber } from '../options.ts';
import { dataActions } from './data-actions.ts';

export function command() {
  return new Command('data')
    .description(
      'back up, restore, list, prune, export or delete the saved data of players, bans and reports, also while the server runs',
    )
    .addArgument(new Argument('<action>', 'what to do').choices(dataActions))
    .argument('[name]', 'backup and restore: a file; export-player and delete-player: an account')
    .option('--config <file>', 'the settings of the server, which name its folder, store and journal')
    .option('--data <folder>', 'the folder of the server', 'reenact-data')
    .option(
      '--store <url>',
      'as for serve: redis://…, rediss://…, postgres://…, file:FOLDER (default: files in --data)',
    )
    .option('--store-url-file <file>', 'file that contains the URL of --store, which keeps its password secret')
    .option(
      '--journal <url>',
      'with redis://…, the journal of serve: where bans and reports are kept (default: in --data)',
    )
    .option('--journal-url-file <file>', 'file that contains the URL of --journal, which keeps its password secret')
    .option('--days <number>', 'prune: remove data that was not saved for this many days', wholeNumber(1, 36_500))
    .option(
      '--overwrite',
      'backup: replace an existing file; restore: also replace data that was saved after the backup',
    )
    .option('--json', 'print one JSON object and nothing else')
    .addHelpText(
      'after',
      '\nA player in a game is saved again when it leaves: kick or ban it before its data is deleted or restored.\nExit codes: 0 success, 1 something is damaged and was left out, 2 invalid usage.\nGuide: docs/server.md',
    );
}

export type DataOptions = OptionsOf<typeof command>;
