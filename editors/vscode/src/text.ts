import { readFileSync } from 'node:fs';
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';

/** A game as text, and for each line the offset of what it shows in the JSON, or -1. */
interface GameText {
  readonly text: string;
  readonly offsets: readonly number[];
}

/** What an edited text asks for: edits of the JSON, or the reasons why there are none. Protocol types. */
interface GameChange {
  readonly edits: readonly { readonly range: vscode.Range; readonly newText: string }[];
  readonly diagnostics: readonly {
    readonly range: vscode.Range;
    readonly message: string;
    readonly code: string;
  }[];
}

const scheme = 'reenact';
/** How long nothing must be typed before the text is checked. */
const quietMs = 300;

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

/** Shows games as text that can be edited and saved, and jumps between a line of the text and the JSON. */
export function gameTexts(client: () => LanguageClient | undefined): vscode.Disposable {
  const files = new GameTexts(client);
  return vscode.Disposable.from(
    files,
    vscode.workspace.registerFileSystemProvider(scheme, files, { isCaseSensitive: true }),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (document.uri.scheme === scheme) files.checkLater(document);
      else files.changed(document.uri);
    }),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => files.problems.delete(uri)),
    vscode.languages.registerDefinitionProvider(
      { scheme },
      {
        async provideDefinition({ uri }, { line }) {
          const game = gameOfText(uri);
          const offset = (await files.read(game))?.offsets[line] ?? -1;
          const json = await vscode.workspace.openTextDocument(game);
          return offset < 0 ? undefined : new vscode.Location(game, json.positionAt(offset));
        },
      },
    ),
    vscode.commands.registerCommand('reenact.openText', async () => {
      const editor = vscode.window.activeTextEditor;
      if (editor?.document.uri.scheme !== 'file') return;
      const { document, selection } = editor;
      const text = await files.read(document.uri);
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

/** The files of the scheme `reenact`: the language server prints them, and writes them back into the JSON. */
class GameTexts implements vscode.FileSystemProvider {
  readonly problems = vscode.languages.createDiagnosticCollection('reenact-text');
  private readonly changes = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.changes.event;
  /** When the JSON of a game changed in an editor that has not saved it. */
  private readonly changedMs = new Map<string, number>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly client: () => LanguageClient | undefined) {}

  async read(game: vscode.Uri): Promise<GameText | undefined> {
    return (await this.client()?.sendRequest<GameText | null>('reenact/text', { uri: game.toString() })) ?? undefined;
  }

  /** The JSON of a game has changed in an editor, so its text is another. */
  changed(game: vscode.Uri): void {
    this.changedMs.set(game.toString(), Date.now());
    this.changes.fire([{ type: vscode.FileChangeType.Changed, uri: textUri(game) }]);
  }

  checkLater(document: vscode.TextDocument): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.change(document.uri, document.getText()), quietMs);
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const game = gameOfText(uri);
    const json = await vscode.workspace.fs.stat(game);
    return { ...json, mtime: Math.max(json.mtime, this.changedMs.get(game.toString()) ?? 0) };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const found = await this.read(gameOfText(uri));
    if (found === undefined) throw vscode.FileSystemError.Unavailable('The JSON file is not a valid game.');
    return new TextEncoder().encode(found.text);
  }

  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const game = gameOfText(uri);
    const json = await vscode.workspace.openTextDocument(game);
    const { edits, diagnostics } = await this.change(uri, new TextDecoder().decode(content));
    const [problem] = diagnostics;
    if (problem !== undefined)
      throw vscode.FileSystemError.NoPermissions(`line ${problem.range.start.line + 1}: ${problem.message}`);
    if (edits.length === 0) return;
    const edit = new vscode.WorkspaceEdit();
    for (const { range, newText } of edits) edit.replace(game, rangeOf(range), newText);
    if (!(await vscode.workspace.applyEdit(edit)) || !(await json.save()))
      throw vscode.FileSystemError.Unavailable('The JSON file could not be changed.');
  }

  /** What an edited text asks for. Shows its problems. */
  private async change(uri: vscode.Uri, text: string): Promise<GameChange> {
    const asked = { uri: gameOfText(uri).toString(), text };
    const change = await this.client()?.sendRequest<GameChange | null>('reenact/write', asked);
    if (!change) throw vscode.FileSystemError.Unavailable('The JSON file is not a valid game.');
    const shown = change.diagnostics.map(({ range, message, code }) => {
      const problem = new vscode.Diagnostic(rangeOf(range), message);
      problem.source = 'reenact';
      problem.code = code;
      return problem;
    });
    this.problems.set(uri, shown);
    return change;
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => {});
  }

  readDirectory(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  createDirectory(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  delete(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  rename(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.problems.dispose();
    this.changes.dispose();
  }
}

function rangeOf({ start, end }: vscode.Range): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}
