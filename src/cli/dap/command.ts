import { Command } from '@commander-js/extra-typings';

export function command() {
  return new Command('dap')
    .description('let editors debug a game or a recording (Debug Adapter Protocol)')
    .addHelpText('after', '\nGuide: docs/editors.md');
}
