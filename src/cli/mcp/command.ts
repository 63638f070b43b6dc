import { Command } from '@commander-js/extra-typings';

export function command() {
  return new Command('mcp')
    .description(
      'serve check, run, test and other tools to AI assistants over standard input and output (Model Context Protocol)',
    )
    .addHelpText(
      'after',
      '\nReads only files below the current folder, and writes only below its folder .reenact, except for the tool add, which changes games.\nGuide: docs/mcp.md',
    );
}
