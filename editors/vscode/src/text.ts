import { readFileSync } from 'node:fs';
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';

/** A game as text, and for each line the offset of what it shows in the JSON, or -1. */
interface GameText {
  readonly text: string;
  readonly offsets: readonly number[];
}

const scheme = 'reenact';

/** The text of a game is a document of its own. */
export function textUri(game: vscode.Uri): vscode.Uri {
  return game.with({ scheme, path: `${game.path}.reenact` });
}

/** The JSON file of a game, given that file or its text. */
export function gameOfText(uri: vscode.Uri): vscode.Uri {
  return uri.scheme === scheme ? uri.with({ scheme: 'file', path: uri.path.slice(0, -'.reenact'.length) }) : uri;
}

/** The name of the text for the debugger, if the game is one line, in which nobody can set a breakpoint. */
export function debuggedText(game: string): string | undefined {
  const isOneLine = !readFileSync(game, 'utf8').trim().includes('\n');
  return isOneLine ? textUri(vscode.Uri.file(game)).toString(true) : undefined;
}

/** Shows games as text, and jumps between a line of the text and the JSON. */
export function gameTexts(client: () => LanguageClient | undefined): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const read = async (game: vscode.Uri): Promise<GameText | undefined> =>
    (await client()?.sendRequest<GameText | null>('reenact/text', { uri: game.toString() })) ?? undefined;

  return vscode.Disposable.from(
    changed,
    vscode.workspace.registerTextDocumentContentProvider(scheme, {
      onDidChange: changed.event,
      provideTextDocumentContent: async (text) => (await read(gameOfText(text)))?.text ?? '',
    }),
    vscode.workspace.onDidSaveTextDocument(({ uri }) => changed.fire(textUri(uri))),
    vscode.languages.registerDefinitionProvider(
      { scheme },
      {
        async provideDefinition({ uri }, { line }) {
          const game = gameOfText(uri);
          const offset = (await read(game))?.offsets[line] ?? -1;
          const json = await vscode.workspace.openTextDocument(game);
          return offset < 0 ? undefined : new vscode.Location(game, json.positionAt(offset));
        },
      },
    ),
    vscode.commands.registerCommand('reenact.openText', async () => {
      const editor = vscode.window.activeTextEditor;
      if (editor?.document.uri.scheme !== 'file') return;
      const { document, selection } = editor;
      const text = await read(document.uri);
      if (text === undefined) {
        void vscode.window.showInformationMessage('Open the JSON file of a game first.');
        return;
      }
      const at = document.offsetAt(selection.active);
      // The innermost value that begins before the cursor.
      const line = text.offsets.reduce(
        (best, offset, i) => (offset >= 0 && offset <= at && offset > (text.offsets[best] ?? -1) ? i : best),
        0,
      );
      await vscode.window.showTextDocument(textUri(document.uri), { selection: new vscode.Range(line, 0, line, 0) });
    }),
  );
}
