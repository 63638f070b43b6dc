import type { Terminal } from '../../text/index.ts';
import { exitCodes } from '../failure.ts';
import { serverCommands } from '../server-package.ts';
import { type Call, settingsText } from '../settings.ts';
import type { ServeOptions } from './command.ts';

/** Loads the package of the server, and starts the server or checks its settings. */
export async function serve(
  paths: readonly string[],
  options: ServeOptions,
  terminal: Terminal,
  { command, settings }: Call,
) {
  const commands = await serverCommands();
  if (!options.checkConfig) return commands.serve(paths, options, terminal);
  await commands.checkServer(paths, options, terminal, settings!);
  terminal.stdout.write(settingsText(command));
  return exitCodes.ok;
}
