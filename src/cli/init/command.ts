import { Command, Option } from '@commander-js/extra-typings';
import type { OptionsOf } from '../options.ts';

export function command() {
  return new Command('init')
    .description('create a small game with scenarios to start from')
    .argument('[folder]', 'folder in which to create the game', '.')
    .addOption(
      new Option(
        '--template <name>',
        'game to start from; worker is the game coins with a Cloudflare worker, whose rooms are Durable Objects',
      )
        .choices(['coins', 'blank', 'infection', 'teams', 'rays', 'worker'])
        .default('coins'),
    );
}

export type InitOptions = OptionsOf<typeof command>;
