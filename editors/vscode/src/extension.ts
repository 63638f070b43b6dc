import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { LanguageClient, TransportKind } from 'vscode-languageclient/node';
import { debugGame, debuggers } from './debug';
import { findProgram, type Program } from './program';
import { run } from './run';
import { Scenarios } from './scenarios';
import { taskOf, tasks } from './tasks';
import { gameOfText, gameTexts } from './text';

let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const program = (): Program | undefined => findProgram(context.extensionPath);
  const scenarios = new Scenarios(program);
  const command = (name: string, work: (...args: never[]) => unknown): vscode.Disposable =>
    vscode.commands.registerCommand(`reenact.${name}`, work);
  context.subscriptions.push(
    scenarios,
    tasks(program),
    debuggers(program),
    gameTexts(() => client),
    command('restart', () => start(context.extensionPath)),
    command('run', (uri?: string) => runGame(uri, program())),
    command('debug', (uri?: string, place?: string) => {
      const game = gameOf(uri === undefined ? undefined : vscode.Uri.parse(uri));
      return game && debugGame(game.fsPath, place);
    }),
    command('openViewer', (uri?: vscode.Uri) => openViewer(uri, program())),
    command('openFailurePage', (item?: vscode.TestItem) => openFailurePage(item && scenarios.pageOf(item))),
    vscode.workspace.onDidGrantWorkspaceTrust(() => start(context.extensionPath)),
  );
  await start(context.extensionPath);
}

export function deactivate(): Promise<void> | undefined {
  return client?.stop();
}

async function start(extension: string): Promise<void> {
  await client?.stop();
  client = undefined;
  const program = findProgram(extension);
  if (program === undefined) {
    const message = 'Reenact is not installed in this workspace, and the extension has no copy of it.';
    void vscode.window.showErrorMessage(message);
    return;
  }
  const dialect = vscode.workspace.getConfiguration('reenact').get<string>('dialect', 'standard');
  const server = { module: program.main, args: ['lsp'], transport: TransportKind.stdio };
  client = new LanguageClient('reenact', 'Reenact', server, {
    documentSelector: [
      { scheme: 'file', language: 'json' },
      { scheme: 'file', language: 'jsonc' },
      { scheme: 'file', language: 'yaml' },
      { scheme: 'untitled', language: 'json' },
    ],
    middleware: {
      // All lenses of a game on one line would stand in a row above that line.
      provideCodeLenses: async (document, token, next) => {
        const lenses = await next(document, token);
        if (document.lineCount > 1 || !lenses?.length) return lenses;
        return [new vscode.CodeLens(lenses[0]!.range, { title: 'open as text', command: 'reenact.openText' })];
      },
    },
    initializationOptions: {
      dialect,
      commands: ['reenact.run', 'reenact.debug'],
      isTrusted: vscode.workspace.isTrusted,
    },
  });
  await client.start();
  client.info(
    `reenact ${program.version}, ${program.isOfProject ? 'of the workspace' : 'of the extension'}: ${program.main}`,
  );
}

/** The game of a command: the one given, else the one in the editor. */
function gameOf(uri: vscode.Uri | undefined): vscode.Uri | undefined {
  const shown = uri ?? vscode.window.activeTextEditor?.document.uri;
  const game = shown && gameOfText(shown);
  if (game?.scheme === 'file' && game.fsPath.endsWith('.json')) return game;
  void vscode.window.showInformationMessage('Open the JSON file of a game first.');
  return undefined;
}

async function runGame(uri: string | undefined, program: Program | undefined): Promise<void> {
  const game = gameOf(uri === undefined ? undefined : vscode.Uri.parse(uri));
  if (game === undefined || program === undefined) return;
  await vscode.tasks.executeTask(
    taskOf({ type: 'reenact', command: 'run', args: [game.fsPath, '--bots', '4'] }, program),
  );
}

/** Plays a game with bots and shows the page that replays it. */
async function openViewer(uri: vscode.Uri | undefined, program: Program | undefined): Promise<void> {
  const game = gameOf(uri);
  if (game === undefined || program === undefined) return;
  const folder = mkdtempSync(join(tmpdir(), 'reenact-'));
  const page = join(folder, 'page.html');
  const title = `Playing ${basename(game.fsPath)}`;
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  try {
    const { code, stderr } = await vscode.window.withProgress(options, (_, token) =>
      run(program, ['run', game.fsPath, '--bots', '4', '--html', page], dirname(game.fsPath), token),
    );
    if (code === 0 || code === 1) showPage(page, basename(game.fsPath));
    else if (code !== null) void vscode.window.showErrorMessage(stderr || `reenact run ended with code ${code}.`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function openFailurePage(page: string | undefined): void {
  if (page === undefined) void vscode.window.showInformationMessage('This scenario has no page of a failure.');
  else showPage(page, basename(page));
}

/** Shows a page that needs nothing from the network. */
function showPage(file: string, title: string): void {
  const panel = vscode.window.createWebviewPanel('reenact.page', title, vscode.ViewColumn.Beside, {
    enableScripts: true,
    retainContextWhenHidden: true,
  });
  panel.webview.html = readFileSync(file, 'utf8');
}
