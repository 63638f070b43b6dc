import { basename, dirname } from 'node:path';
import * as vscode from 'vscode';
import { environment, type Program } from './program';

/** Opens the debugger in a terminal, where bots play the game first, at the first tick in which one of the triggers fired. */
export function debugGame(game: string, triggers: readonly string[], program: Program): void {
  const terminal = vscode.window.createTerminal({
    name: `Debugging ${basename(game)}`,
    shellPath: process.execPath,
    shellArgs: [program.main, 'debug', game],
    cwd: dirname(game),
    env: environment,
  });
  terminal.show();
  for (const trigger of triggers) terminal.sendText(`break ${trigger}`);
  terminal.sendText(triggers.length === 0 ? 'help' : 'run');
}
