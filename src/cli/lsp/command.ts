import { Command, Option } from '@commander-js/extra-typings';
import type { OptionsOf } from '../options.ts';

export function command() {
  return new Command('lsp')
    .description('serve editors with diagnostics, completion, hover and rename (Language Server Protocol)')
    .option('--stdio', 'has no effect, because standard input and output are always used; editors pass this option')
    .addOption(new Option('--clientProcessId <id>', 'ignored; VS Code passes it to each server').hideHelp())
    .addHelpText('after', '\nGuide: docs/editors.md');
}

export type LspOptions = OptionsOf<typeof command>;
