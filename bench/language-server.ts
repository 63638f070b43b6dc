import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import {
  CompletionRequest,
  createProtocolConnection,
  DefinitionRequest,
  DidChangeTextDocumentNotification,
  DidOpenTextDocumentNotification,
  HoverRequest,
  InitializedNotification,
  InitializeRequest,
  PublishDiagnosticsNotification,
  RenameRequest,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver-protocol/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { GameFile } from '../src/lsp/index.ts';
import { spread } from './measure.ts';
import { type Report, rounded } from './report.ts';

/**
 * Measures how long `reenact lsp` takes to answer requests right after a change; the time from a change without
 * requests to its diagnostics; and the processor time of a check alone, which depends less on what else the machine
 * does.
 */
export async function languageServer(paths: readonly string[], { changes }: { changes: number }): Promise<Report> {
  const rows: (string | number)[][] = [];
  for (const path of paths.filter((each) => existsSync(each))) {
    const child = spawn(process.execPath, ['dist/cli/main.js', 'lsp'], { stdio: ['pipe', 'pipe', 'inherit'] });
    const connection = createProtocolConnection(
      new StreamMessageReader(child.stdout),
      new StreamMessageWriter(child.stdin),
    );
    connection.listen();
    let published = (_version: number | undefined): void => {};
    connection.onNotification(PublishDiagnosticsNotification.type, ({ version }) => published(version));
    const diagnosticsOf = (version: number): Promise<void> =>
      new Promise((resolve) => {
        published = (found) => found === version && resolve();
      });
    await connection.sendRequest(InitializeRequest.type, { processId: process.pid, rootUri: null, capabilities: {} });
    await connection.sendNotification(InitializedNotification.type, {});
    const text = readFileSync(path, 'utf8');
    const uri = 'file:///game.json';
    const start = { line: 0, character: 0 };
    const position = TextDocument.create(uri, 'json', 1, text).positionAt(text.indexOf('"variableName"') + 18);
    const textDocument = { uri, languageId: 'json', version: 1, text };
    const opened = diagnosticsOf(1);
    await connection.sendNotification(DidOpenTextDocumentNotification.type, { textDocument });
    await opened;
    const times: Record<string, number[]> = { completion: [], hover: [], definition: [], rename: [], diagnostics: [] };
    const change = (version: number): Promise<void> => {
      position.line++;
      return connection.sendNotification(DidChangeTextDocumentNotification.type, {
        textDocument: { uri, version },
        contentChanges: [{ range: { start, end: start }, text: '\n' }],
      });
    };
    for (let version = 2; version <= 2 * changes; version += 2) {
      const alone = diagnosticsOf(version);
      const changed = performance.now();
      await change(version);
      await alone;
      times['diagnostics']!.push(performance.now() - changed);
      const checked = diagnosticsOf(version + 1);
      await change(version + 1);
      for (const [name, type] of [
        ['completion', CompletionRequest.type],
        ['hover', HoverRequest.type],
        ['definition', DefinitionRequest.type],
        ['rename', RenameRequest.type],
      ] as const) {
        const asked = performance.now();
        await connection.sendRequest(type.method, { textDocument: { uri }, position, newName: 'renamed' });
        times[name]!.push(performance.now() - asked);
      }
      await checked;
    }
    connection.dispose();
    child.kill();
    const cells = Object.values(times).flatMap((each) => [spread(each).median, spread(each).max]);
    const checks = spread(
      Array.from({ length: changes }, (_, i) => processorMs(() => check(`${'\n'.repeat(i)}${text}`))),
    );
    rows.push([
      basename(path),
      Math.round(text.length / 1000),
      ...[...cells, checks.median, checks.min].map((ms) => rounded(ms, 1)),
    ]);
  }
  const answers = ['completion', 'hover', 'definition', 'rename', 'diagnostics'];
  return {
    head: [
      'game',
      'kB',
      ...answers.flatMap((name) => [`${name}, median ms`, 'largest']),
      'check, processor ms, median',
      'smallest',
    ],
    rows,
  };
}

function check(text: string): number {
  return new GameFile(text, 'standard').issues.length;
}

function processorMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
