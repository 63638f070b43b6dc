import { readFileSync } from 'node:fs';
import * as vscode from 'vscode';
import type { CodeLens, LanguageClient } from 'vscode-languageclient/node';

/** A game as text, and for each line the offset of what it shows in the JSON, or -1. */
interface GameText {
  readonly text: string;
  readonly offsets: readonly number[];
  /** How often each line ran in the last tests. An older server does not send it. */
  readonly runs?: readonly (number | null)[];
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
    vscode.languages.registerCodeLensProvider({ scheme }, { provideCodeLenses: ({ uri }) => textLenses(files, uri) }),
    ...coverage(files),
    vscode.commands.registerCommand('reenact.why', why),
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

/** The code lenses of the JSON, each at the line of the text that shows its script. */
async function textLenses(files: GameTexts, uri: vscode.Uri): Promise<vscode.CodeLens[]> {
  const game = gameOfText(uri);
  const client = files.client();
  // The server gives lenses only of documents that are open.
  const json = await vscode.workspace.openTextDocument(game);
  const text = await files.read(game);
  const found = await client?.sendRequest<CodeLens[] | null>('textDocument/codeLens', {
    textDocument: { uri: game.toString() },
  });
  if (text === undefined || !found || client === undefined) return [];
  const lines = text.offsets.map((offset, line) => ({ offset, line })).sort((a, b) => a.offset - b.offset);
  return (await client.protocol2CodeConverter.asCodeLenses(found)).flatMap(({ range, command }) => {
    // A lens is at the key of its script, and the value follows its key.
    const key = json.offsetAt(range.start);
    const { line } = lines.find(({ offset }) => offset >= key) ?? {};
    return line === undefined ? [] : new vscode.CodeLens(new vscode.Range(line, 0, line, 0), command);
  });
}

/** Marks the lines of open texts that ran in the last tests, and those that did not. */
function coverage(files: GameTexts): vscode.Disposable[] {
  const bar = (color: string) =>
    vscode.window.createTextEditorDecorationType({
      ...{ isWholeLine: true, borderStyle: 'solid', borderWidth: '0 0 0 3px' },
      ...{ borderColor: new vscode.ThemeColor(color), overviewRulerColor: new vscode.ThemeColor(color) },
    });
  const ran = bar('testing.iconPassed');
  const missed = bar('testing.iconFailed');
  const mark = async (editor: vscode.TextEditor): Promise<void> => {
    const { document } = editor;
    if (document.uri.scheme !== scheme) return;
    // The counts are those of the saved game.
    const found = files.isChanged(document.uri) ? undefined : await files.read(gameOfText(document.uri));
    const { text, runs = [] } = found ?? {};
    const isShown = text === document.getText();
    const ranges = (wanted: (count: number) => boolean): vscode.DecorationOptions[] =>
      runs.flatMap((count, line) => {
        if (!isShown || count === null || !wanted(count)) return [];
        const hoverMessage = `ran ${count} times in the last tests`;
        return [{ range: new vscode.Range(line, 0, line, 0), hoverMessage }];
      });
    editor.setDecorations(
      ran,
      ranges((count) => count > 0),
    );
    editor.setDecorations(
      missed,
      ranges((count) => count === 0),
    );
  };
  const markAll = (): void => {
    for (const editor of vscode.window.visibleTextEditors) void mark(editor);
  };
  const watcher = vscode.workspace.createFileSystemWatcher('**/.reenact/coverage.json');
  return [
    ...[ran, missed, watcher, watcher.onDidChange(markAll), watcher.onDidCreate(markAll)],
    watcher.onDidDelete(markAll),
    vscode.window.onDidChangeVisibleTextEditors(markAll),
    vscode.workspace.onDidChangeTextDocument(({ document: { uri } }) => {
      for (const editor of vscode.window.visibleTextEditors)
        if (editor.document.uri.toString() === textUri(gameOfText(uri)).toString()) void mark(editor);
    }),
  ];
}

/** Answers why the selected value, or the name at the cursor, is what it is where the debugger has stopped. */
async function why(): Promise<void> {
  const { activeTextEditor: editor } = vscode.window;
  const { activeDebugSession: session, activeStackItem: frame } = vscode.debug;
  if (session?.type !== 'reenact' || !editor) {
    void vscode.window.showInformationMessage('Start the debugger first: press F5 in the game.');
    return;
  }
  const { document, selection } = editor;
  const range = selection.isEmpty ? document.getWordRangeAtPosition(selection.active) : selection;
  const frameId = frame && 'frameId' in frame ? frame.frameId : undefined;
  const asked = { expression: `why ${document.getText(range)}`, context: 'repl', frameId };
  try {
    const { result } = await session.customRequest('evaluate', asked);
    vscode.debug.activeDebugConsole.appendLine(`${asked.expression}\n${result}`);
  } catch (error) {
    vscode.debug.activeDebugConsole.appendLine(
      `${asked.expression}\n${error instanceof Error ? error.message : error}`,
    );
  }
  await vscode.commands.executeCommand('workbench.debug.action.focusRepl');
}

/** The files of the scheme `reenact`: the language server prints them, and writes them back into the JSON. */
class GameTexts implements vscode.FileSystemProvider {
  readonly problems = vscode.languages.createDiagnosticCollection('reenact-text');
  private readonly changes = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.changes.event;
  /** When the JSON of a game changed in an editor that has not saved it. */
  private readonly changedMs = new Map<string, number>();
  private timer: NodeJS.Timeout | undefined;

  constructor(readonly client: () => LanguageClient | undefined) {}

  async read(game: vscode.Uri): Promise<GameText | undefined> {
    return (await this.client()?.sendRequest<GameText | null>('reenact/text', { uri: game.toString() })) ?? undefined;
  }

  /** The JSON of a game has changed in an editor, so its text is another. */
  changed(game: vscode.Uri): void {
    this.changedMs.set(game.toString(), Date.now());
    this.changes.fire([{ type: vscode.FileChangeType.Changed, uri: textUri(game) }]);
  }

  /** Whether the JSON or the text of a game has changes that are not saved. */
  isChanged(text: vscode.Uri): boolean {
    const game = gameOfText(text).toString();
    return vscode.workspace.textDocuments.some(({ uri, isDirty }) => isDirty && gameOfText(uri).toString() === game);
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
