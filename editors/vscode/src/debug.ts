import { basename } from 'node:path';
import * as vscode from 'vscode';
import { environment, type Program } from './program';
import { debuggedText } from './text';

/** Lets VS Code debug games and recordings with `reenact dap`. */
export function debuggers(program: () => Program | undefined): vscode.Disposable {
  return vscode.debug.registerDebugAdapterDescriptorFactory('reenact', {
    createDebugAdapterDescriptor: ({ workspaceFolder }) => {
      const found = program();
      if (found === undefined) throw new Error('Reenact is not installed in this workspace.');
      const cwd = workspaceFolder?.uri.fsPath;
      return new vscode.DebugAdapterExecutable(process.execPath, [found.main, 'dap'], {
        ...(cwd !== undefined && { cwd }),
        env: environment,
      });
    },
  });
}

/** Debugs a game that bots play first, from the first run of a script on. */
export function debugGame(game: string, place: string | undefined): Thenable<boolean> {
  const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(game));
  const text = debuggedText(game);
  return vscode.debug.startDebugging(folder, {
    ...{ type: 'reenact', request: 'launch', name: basename(game), program: game },
    ...(place !== undefined && { stopAt: place }),
    ...(text !== undefined && { text }),
  });
}
