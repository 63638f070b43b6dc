import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { environment, type Program } from './program';
import { run } from './run';

/** Plays a game with bots and opens the debugger of replays in a terminal, at the first tick in which one of the triggers fired. */
export async function debugGame(game: string, triggers: readonly string[], program: Program): Promise<void> {
  const cwd = dirname(game);
  const journal = join(mkdtempSync(join(tmpdir(), 'reenact-')), 'play.rj');
  const { code, stderr } = await run(program, ['run', game, '--bots', '4', '--record', journal], cwd);
  if (code !== 0) {
    void vscode.window.showErrorMessage(stderr || `reenact run ended with code ${code}.`);
    return;
  }
  const terminal = vscode.window.createTerminal({
    name: `Debugging ${basename(game)}`,
    shellPath: process.execPath,
    shellArgs: [program.main, 'replay', journal, '--interactive'],
    cwd,
    env: environment,
  });
  terminal.show();
  for (const trigger of triggers) terminal.sendText(`break ${trigger}`);
  terminal.sendText(triggers.length === 0 ? 'help' : 'run');
}
