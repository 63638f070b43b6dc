import { Command } from '@commander-js/extra-typings';

export function command() {
  return new Command('mcp')
    .description(
      'serve check, run, test and other tools to AI assistants over standard input and output (Model Context Protocol)',
    )
    .addHelpText(
      'after',
      '\nThe tools read only files in the current folder, and write only to its folder .reenact, except for the tool add, which changes games.\nGuide: docs/mcp.md',
    );
}
