import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node';
import { isBuilt, program } from '../support/program.ts';

/**
 * The parts of the VS Code extension that run `reenact`, against the part of the API of VS Code that they use. The
 * language server has its own tests, with a real client.
 */

interface Uri {
  readonly scheme: 'file';
  readonly fsPath: string;
  toString(): string;
}
interface Item {
  readonly id: string;
  readonly label: string;
  readonly uri: Uri;
  readonly children: Items;
  parent?: Item;
  range?: unknown;
  error?: string | undefined;
}
interface Task {
  readonly name: string;
  readonly execution: { readonly process: string; readonly args: readonly string[] };
  readonly matchers: readonly string[];
}
interface Extension {
  Scenarios: new (
    program: () => unknown,
  ) => {
    dispose(): void;
    pageOf(item: Item): string | undefined;
  };
  tasks(program: () => unknown): unknown;
  debugGame(game: string, place: string | undefined): void;
  debuggers(program: () => unknown): unknown;
  findProgram(extension: string): { readonly main: string; readonly isOfProject: boolean } | undefined;
}

class Items {
  private readonly all = new Map<string, Item>();
  private readonly parent: Item | undefined;

  constructor(parent?: Item) {
    this.parent = parent;
  }

  get size(): number {
    return this.all.size;
  }

  get(id: string): Item | undefined {
    return this.all.get(id);
  }

  add(item: Item): void {
    if (this.parent !== undefined) item.parent = this.parent;
    this.all.set(item.id, item);
  }

  replace(items: readonly Item[]): void {
    this.all.clear();
    for (const each of items) this.add(each);
  }

  [Symbol.iterator](): Iterator<[string, Item]> {
    return this.all.entries();
  }
}

const uriOf = (path: string): Uri => ({ scheme: 'file', fsPath: path, toString: () => pathToFileURL(path).href });

/** A fake API that records what the extension does. */
function editor(folder: string, files: readonly string[]) {
  const happened: string[] = [];
  const messages: { readonly text: string; readonly location?: { readonly range: { readonly line: number } } }[] = [];
  let output = '';
  const items = new Items();
  let run: ((request: object, token: object) => Promise<void>) | undefined;
  let provider: { provideTasks(): Task[] } | undefined;
  const controller = {
    items,
    createTestItem(id: string, label: string, uri: Uri): Item {
      const item = { id, label, uri } as { -readonly [K in keyof Item]: Item[K] };
      item.children = new Items(item);
      return item;
    },
    createRunProfile(_name: string, _kind: number, handler: typeof run) {
      run = handler;
    },
    createTestRun: () => ({
      started: ({ label }: Item) => happened.push(`started ${label}`),
      passed: ({ label }: Item) => happened.push(`passed ${label}`),
      failed({ label }: Item, message: (typeof messages)[number]) {
        happened.push(`failed ${label}`);
        messages.push(message);
      },
      skipped: ({ label }: Item) => happened.push(`skipped ${label}`),
      errored: ({ label }: Item) => happened.push(`errored ${label}`),
      appendOutput(text: string) {
        output += text;
      },
      end: () => happened.push('end'),
    }),
    dispose() {},
  };
  const api = {
    tests: { createTestController: () => controller },
    workspace: {
      isTrusted: true,
      workspaceFolders: [{ uri: uriOf(folder) }],
      createFileSystemWatcher: () => ({ onDidCreate() {}, onDidChange() {}, onDidDelete() {}, dispose() {} }),
      findFiles: async () => files.map((file) => uriOf(join(folder, file))),
      asRelativePath: ({ fsPath }: Uri) => fsPath.slice(folder.length + 1),
      getWorkspaceFolder: () => ({ uri: uriOf(folder) }),
    },
    tasks: {
      registerTaskProvider(_type: string, given: typeof provider) {
        provider = given;
      },
    },
    TestRunProfileKind: { Run: 1 },
    TaskScope: { Workspace: 2 },
    TaskGroup: { Test: 'test' },
    Range: class {},
    Position: class {
      readonly line: number;
      constructor(line: number) {
        this.line = line;
      }
    },
    Location: class {
      readonly range: unknown;
      constructor(_uri: Uri, range: unknown) {
        this.range = range;
      }
    },
    TestMessage: class {
      readonly text: string;
      constructor(text: string) {
        this.text = text;
      }
    },
    ProcessExecution: class {
      readonly process: string;
      readonly args: readonly string[];
      constructor(process: string, args: readonly string[]) {
        this.process = process;
        this.args = args;
      }
    },
    Task: class {
      readonly name: string;
      readonly execution: unknown;
      readonly matchers: readonly string[];
      constructor(...[, , name, , execution, matchers]: [object, number, string, string, unknown, readonly string[]]) {
        this.name = name;
        this.execution = execution;
        this.matchers = matchers;
      }
    },
  };
  const token = { isCancellationRequested: false, onCancellationRequested: () => ({ dispose() {} }) };
  return {
    api,
    items,
    happened,
    messages,
    output: () => output,
    run: (include?: readonly Item[]) => run!({ include }, token),
    tasks: () => provider!.provideTasks(),
  };
}

let code: string;
/** Loads the extension with a fake API, as VS Code would. */
function extensionOver(api: object): Extension {
  const exports = {};
  const require = createRequire(import.meta.url);
  new Function('require', 'exports', code)((id: string) => (id === 'vscode' ? api : require(id)), exports);
  return exports as Extension;
}

const source = fileURLToPath(new URL('../../editors/vscode', import.meta.url));
const scenario = `game: game.json
scenarios:
  - name: a coin lies there
    steps: [{ expect: items of type coin == 3 }]
  - name: there are seven
    steps:
      - { wait: 0.2 s }
      - { expect: items of type coin == 7 }
`;

describe.skipIf(!isBuilt)('the extension for VS Code (skipped where the program is not built)', () => {
  let folder: string;
  beforeAll(async () => {
    const entry = ['scenarios', 'tasks', 'program', 'debug'].map(
      (name) => `export * from ${JSON.stringify(join(source, `src/${name}.ts`))};`,
    );
    const bundle = await rolldown({
      input: 'entry',
      external: ['vscode'],
      platform: 'node',
      plugins: [
        {
          name: 'entry',
          resolveId: (id: string) => (id === 'entry' ? id : null),
          load: (id: string) => (id === 'entry' ? entry.join('\n') : null),
        },
      ],
    });
    code = (await bundle.generate({ format: 'cjs' })).output[0].code;
    await bundle.close();
    folder = mkdtempSync(join(tmpdir(), 'reenact-extension-'));
    spawnSync(process.execPath, [program, 'init', folder]);
    writeFileSync(join(folder, 'game.scenario.yaml'), scenario);
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const found = { main: program, version: '1', isOfProject: false };

  test('all scenarios run, although the test explorer was never open', async () => {
    const { api, items, happened, messages, run, output } = editor(folder, ['game.scenario.yaml']);
    const scenarios = new (extensionOver(api).Scenarios)(() => found);
    await run();
    expect(happened).toEqual([
      'started a coin lies there',
      'started there are seven',
      'passed a coin lies there',
      'failed there are seven',
      'end',
    ]);
    expect(messages).toMatchObject([
      { text: expect.stringContaining('items of type coin == 7'), location: { range: { line: 7 } } },
    ]);
    expect(output()).toContain('1 failed, 1 passed');
    const [[, file]] = [...items] as [[string, Item]];
    const [passed, failed] = [...file.children].map(([, item]) => item);
    expect(scenarios.pageOf(passed!)).toBeUndefined();
    expect(readFileSync(scenarios.pageOf(failed!)!, 'utf8')).toContain('<!doctype html>');
    happened.length = 0;
    await run([passed!]);
    expect(happened).toEqual(['started a coin lies there', 'passed a coin lies there', 'end']);
  });

  test('a file that is not a scenario shows why', async () => {
    writeFileSync(join(folder, 'wrong.scenario.yaml'), 'game: nowhere.json\nscenarios: 3\n');
    const { api, items, run } = editor(folder, ['wrong.scenario.yaml']);
    new (extensionOver(api).Scenarios)(() => found);
    await run();
    const [[, file]] = [...items] as [[string, Item]];
    expect(file.error).toContain('wrong.scenario.yaml');
  });

  test('tasks run commands whose output the problem matchers read', () => {
    const { api, tasks } = editor(folder, []);
    extensionOver(api).tasks(() => found);
    const game = readFileSync(join(folder, 'game.json'), 'utf8');
    writeFileSync(join(folder, 'game.json'), game.replace('"unitType": "collector"', '"unitType": "colector"'));
    const { contributes } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
    const problems = new Map<string, string[][]>();
    for (const { name, execution, matchers } of tasks()) {
      if (name === 'run') continue;
      const { stdout } = spawnSync(execution.process, execution.args, { cwd: folder, encoding: 'utf8' });
      const { pattern } = contributes.problemMatchers.find((each: { name: string }) =>
        matchers.includes(`$${each.name}`),
      );
      const [first, second] = [pattern].flat().map(({ regexp }: { regexp: string }) => new RegExp(regexp, 'u'));
      const lines = stdout.split('\n');
      const read = lines.flatMap((line, i) => {
        const matches = [first!.exec(line), second?.exec(lines[i + 1] ?? '')].slice(0, second === undefined ? 1 : 2);
        return matches.every((match) => match) ? [matches.flatMap((match) => [...match!].slice(1))] : [];
      });
      problems.set(name, read);
    }
    expect(problems.get('check')).toMatchObject([
      [
        'game.json',
        expect.stringMatching(/^\d+$/),
        expect.stringMatching(/^\d+$/),
        'warning',
        expect.anything(),
        'dangling-unit-type',
      ],
    ]);
    expect(problems.get('test')).toContainEqual(['there are seven', 'game.scenario.yaml', '8']);
    writeFileSync(join(folder, 'game.json'), game);
  });

  test('debugging starts a session, stopped where the script first ran', async () => {
    let config: Record<string, unknown> = {};
    let factory!: { createDebugAdapterDescriptor(session: object): { command: string; args: string[] } };
    const debug = {
      startDebugging: (_folder: unknown, given: typeof config) => {
        config = given;
      },
      registerDebugAdapterDescriptorFactory: (_type: string, given: typeof factory) => {
        factory = given;
      },
    };
    class DebugAdapterExecutable {
      readonly command: string;
      readonly args: readonly string[];
      constructor(command: string, args: readonly string[]) {
        this.command = command;
        this.args = args;
      }
    }
    const { api } = editor(folder, []);
    const workspace = { ...api.workspace, getWorkspaceFolder: () => undefined };
    const Uri = { file: uriOf };
    const { debugGame, debuggers } = extensionOver({ ...api, workspace, Uri, debug, DebugAdapterExecutable });
    debuggers(() => found);
    const game = join(folder, 'game.json');
    debugGame(game, 'scripts/collect');
    expect(config).toMatchObject({ type: 'reenact', request: 'launch', program: game });

    const { command, args } = factory.createDebugAdapterDescriptor({ workspaceFolder: { uri: uriOf(folder) } });
    const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    const [writer, messages] = [new StreamMessageWriter(child.stdin), [] as Record<string, unknown>[]];
    new StreamMessageReader(child.stdout).listen((message) => messages.push(message as never));
    const requests = [
      ['initialize'],
      ['launch', { ...config, bots: 1.5 }],
      ['launch', config],
      ['configurationDone'],
      ['stackTrace'],
      ['disconnect'],
    ] as const;
    for (const [i, [name, given = {}]] of requests.entries())
      await writer.write({ seq: i, type: 'request', command: name, arguments: given } as never);
    await once(child, 'exit');
    expect(messages).toContainEqual(
      expect.objectContaining({ success: false, message: '"bots": Expected an integer from 0 to 1000.' }),
    );
    expect(messages).toContainEqual(
      expect.objectContaining({ event: 'stopped', body: expect.objectContaining({ reason: 'breakpoint' }) }),
    );
    const { body } = messages.find((each) => each['command'] === 'stackTrace') as { body: { stackFrames: object[] } };
    expect(body.stackFrames[0]).toMatchObject({ source: { path: game }, line: expect.any(Number) });
  });

  test('the program of the workspace is preferred, if the workspace is trusted', () => {
    const { api } = editor(dirname(source), []);
    expect(extensionOver(api).findProgram(folder)).toMatchObject({ isOfProject: true });
    api.workspace.isTrusted = false;
    expect(extensionOver(api).findProgram(folder)).toBeUndefined();
  });
});
