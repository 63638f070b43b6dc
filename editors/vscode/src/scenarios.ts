import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import * as vscode from 'vscode';
import type { Program } from './program';
import { type Output, run } from './run';

/** What the JSON report of `reenact test` says of a scenario. */
interface Result {
  readonly title: string;
  readonly name: string;
  readonly line?: number;
  readonly outcome: string;
  readonly note?: string;
  readonly wallMs: number;
  readonly failure?: { readonly expected: string; readonly found: readonly string[]; readonly line?: number };
}

const pattern = '**/*.scenario.{yaml,yml,json}';

/** Scenario files and their scenarios in the test explorer. */
export class Scenarios {
  private readonly controller = vscode.tests.createTestController('reenact', 'Reenact scenarios');
  private readonly program: () => Program | undefined;
  private readonly watcher = vscode.workspace.createFileSystemWatcher(pattern);
  /** The pages of failures, by id of the scenario. */
  private readonly pages = new Map<string, string>();

  constructor(program: () => Program | undefined) {
    this.program = program;
    const { controller, watcher } = this;
    controller.resolveHandler = (item) => (item === undefined ? this.findFiles() : this.list(item));
    controller.refreshHandler = () => this.findFiles();
    const { Run } = vscode.TestRunProfileKind;
    controller.createRunProfile('Run', Run, (request, token) => this.request(request, token), true, undefined, true);
    watcher.onDidCreate((uri) => this.list(this.fileItem(uri)));
    watcher.onDidChange((uri) => this.list(this.fileItem(uri)));
    watcher.onDidDelete((uri) => controller.items.delete(uri.toString()));
  }

  dispose(): void {
    this.watcher.dispose();
    this.controller.dispose();
  }

  /** The page of the last failure of a scenario; undefined if it passed or no page was written. */
  pageOf(item: vscode.TestItem): string | undefined {
    return this.pages.get(item.id);
  }

  private async findFiles(): Promise<void> {
    const files = await vscode.workspace.findFiles(pattern, '**/node_modules/**');
    const items = files.map((uri) => this.fileItem(uri));
    this.controller.items.replace(items);
    await Promise.all(items.map((item) => this.list(item)));
  }

  private fileItem(uri: vscode.Uri): vscode.TestItem {
    const { items } = this.controller;
    let item = items.get(uri.toString());
    if (item === undefined) {
      item = this.controller.createTestItem(uri.toString(), vscode.workspace.asRelativePath(uri), uri);
      item.canResolveChildren = true;
      items.add(item);
    }
    return item;
  }

  /** Lists the scenarios of a file. */
  private async list(file: vscode.TestItem): Promise<void> {
    const program = this.program();
    if (file.uri?.scheme !== 'file' || program === undefined) return;
    const path = file.uri.fsPath;
    const { stdout, stderr, code } = await run(program, ['test', '--list', path], folderOf(file.uri));
    file.error = code === 2 ? stderr : undefined;
    const found = stdout.split('\n').flatMap((line) => {
      const [, number, title] = /^.*?:(\d+) {2}(.*)$/.exec(line) ?? [];
      return title === undefined ? [] : [this.scenarioItem(file, title, Number(number) - 1)];
    });
    file.children.replace(found);
  }

  private scenarioItem(file: vscode.TestItem, title: string, line: number): vscode.TestItem {
    const item = this.controller.createTestItem(`${file.id}#${title}`, title, file.uri);
    item.range = new vscode.Range(line, 0, line, 0);
    return item;
  }

  private async request(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    await this.runOnce(request, token);
    if (!request.continuous) return;
    // A scenario can fail through its game, too.
    const watcher = vscode.workspace.createFileSystemWatcher('**/*.{json,yaml,yml}');
    let timer: NodeJS.Timeout | undefined;
    let running = false;
    const again = ({ fsPath }: vscode.Uri): void => {
      if (/[\\/](?:node_modules|\.reenact)[\\/]/.test(fsPath)) return;
      clearTimeout(timer);
      timer = setTimeout(async () => {
        if (running) return;
        running = true;
        await this.runOnce(request, token);
        running = false;
      }, 300);
    };
    watcher.onDidChange(again);
    token.onCancellationRequested(() => {
      clearTimeout(timer);
      watcher.dispose();
    });
  }

  private async runOnce(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    const program = this.program();
    if (program === undefined) return;
    // Before the test explorer was open, VS Code has asked for no files.
    if (request.include === undefined && this.controller.items.size === 0) await this.findFiles();
    const excluded = new Set(request.exclude ?? []);
    const wanted = request.include ?? [...this.controller.items].map(([, item]) => item);
    const byFile = new Map<vscode.TestItem, Set<vscode.TestItem>>();
    for (const item of wanted) {
      const file = item.parent ?? item;
      if (file === item && item.children.size === 0) await this.list(item);
      const scenarios = file === item ? [...item.children].map(([, child]) => child) : [item];
      const known = byFile.get(file) ?? new Set();
      for (const each of scenarios) if (!excluded.has(each)) known.add(each);
      byFile.set(file, known);
    }
    const testRun = this.controller.createTestRun(request);
    for (const [file, items] of byFile) {
      if (token.isCancellationRequested) break;
      for (const item of items) testRun.started(item);
      const isAll = items.size === file.children.size;
      // A filter that is a whole title selects only that scenario.
      const filters = isAll ? [[]] : [...items].map(({ label }) => ['--filter', label]);
      for (const filter of filters) await this.play(program, file, items, filter, testRun, token);
    }
    testRun.end();
  }

  private async play(
    program: Program,
    file: vscode.TestItem,
    items: ReadonlySet<vscode.TestItem>,
    filter: readonly string[],
    testRun: vscode.TestRun,
    token: vscode.CancellationToken,
  ): Promise<void> {
    const path = file.uri!.fsPath;
    const root = folderOf(file.uri!);
    const folder = mkdtempSync(join(tmpdir(), 'reenact-'));
    const report = join(folder, 'report.json');
    const args = ['test', path, ...filter, '--coverage', '--reporter', 'pretty', '--reporter', `json=${report}`];
    try {
      const output = await run(program, args, root, token);
      // The report is a file of this run, which is deleted after it.
      const printed = output.stdout.replace(/^report: .*\n/m, '') + output.stderr;
      testRun.appendOutput(printed.replaceAll('\n', '\r\n'));
      const { scenarios } = JSON.parse(readFileSync(report, 'utf8')) as { scenarios: readonly Result[] };
      for (const result of scenarios) {
        const item = [...items].find(({ label }) => label === result.title);
        if (item !== undefined) this.show(item, result, output, root, testRun);
      }
    } catch (error) {
      if (token.isCancellationRequested) return;
      const message = new vscode.TestMessage(error instanceof Error ? error.message : String(error));
      for (const item of items) testRun.errored(item, message);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  private show(
    item: vscode.TestItem,
    { title, outcome, failure, line, wallMs }: Result,
    { stdout }: Output,
    folder: string,
    testRun: vscode.TestRun,
  ): void {
    this.pages.delete(item.id);
    if (outcome === 'passed') testRun.passed(item, wallMs);
    else if (outcome !== 'failed') testRun.skipped(item);
    else {
      const [, page] = /^ +watch: (.*)$/m.exec(sectionOf(stdout, title)) ?? [];
      if (page !== undefined) this.pages.set(item.id, resolve(folder, page));
      const text = failure === undefined ? 'failed' : [failure.expected, ...failure.found].join('\n');
      const message = new vscode.TestMessage(text);
      const at = (failure?.line ?? line ?? 1) - 1;
      if (item.uri !== undefined) message.location = new vscode.Location(item.uri, new vscode.Position(at, 0));
      testRun.failed(item, message, wallMs);
    }
  }
}

/** Where the command runs for a file: pictures and coverage are written into `.reenact` there. */
function folderOf(uri: vscode.Uri): string {
  return vscode.workspace.getWorkspaceFolder(uri)?.uri.fsPath ?? dirname(uri.fsPath);
}

/** What `reenact test` prints of a failed scenario. */
function sectionOf(stdout: string, title: string): string {
  const start = stdout.indexOf(`✗ ${title}  `);
  if (start < 0) return '';
  const rest = stdout.slice(start + 1);
  const end = rest.search(/^\S/m);
  return end < 0 ? rest : rest.slice(0, end);
}
