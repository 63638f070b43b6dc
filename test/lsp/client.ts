import { type ChildProcess, spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import {
  type CodeAction,
  CodeActionRequest,
  type CodeLens,
  CodeLensRequest,
  type CompletionItem,
  CompletionRequest,
  createProtocolConnection,
  DefinitionRequest,
  type Diagnostic,
  DidChangeTextDocumentNotification,
  DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification,
  type DocumentSymbol,
  DocumentSymbolRequest,
  ExitNotification,
  type FoldingRange,
  FoldingRangeRequest,
  type Hover,
  HoverRequest,
  InitializedNotification,
  InitializeRequest,
  type InitializeResult,
  type Location,
  type Position,
  PrepareRenameRequest,
  PublishDiagnosticsNotification,
  type Range,
  ReferencesRequest,
  RenameRequest,
  SemanticTokensRequest,
  ShutdownRequest,
  StreamMessageReader,
  StreamMessageWriter,
  type SymbolInformation,
  type TextEdit,
  type WorkspaceEdit,
  WorkspaceSymbolRequest,
} from 'vscode-languageserver-protocol/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { program } from '../support/program.ts';

/** An editor connected to `reenact lsp` in a separate process. */
export class Editor {
  readonly capabilities: InitializeResult['capabilities'];
  private readonly process: ChildProcess;
  private readonly connection: ReturnType<typeof createProtocolConnection>;
  private readonly documents = new Map<string, TextDocument>();
  private readonly published = new Map<
    string,
    { readonly version: number | undefined; readonly found: Diagnostic[] }
  >();
  private opened = 0;
  private readonly waiting = new Set<() => void>();

  private constructor(
    process: ChildProcess,
    connection: ReturnType<typeof createProtocolConnection>,
    capabilities: InitializeResult['capabilities'],
  ) {
    this.process = process;
    this.connection = connection;
    this.capabilities = capabilities;
  }

  static async start(initializationOptions: object = {}): Promise<Editor> {
    // The arguments that VS Code gives each server.
    const args = ['lsp', '--stdio', `--clientProcessId=${process.pid}`];
    const child = spawn(process.execPath, [program, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
    const connection = createProtocolConnection(
      new StreamMessageReader(child.stdout),
      new StreamMessageWriter(child.stdin),
    );
    connection.listen();
    const { capabilities } = await connection.sendRequest(InitializeRequest.type, {
      processId: process.pid,
      rootUri: null,
      capabilities: { textDocument: { completion: { completionItem: { snippetSupport: true } } } },
      initializationOptions,
    });
    const editor = new Editor(child, connection, capabilities);
    connection.onNotification(PublishDiagnosticsNotification.type, ({ uri, version, diagnostics }) => {
      editor.published.set(uri, { version, found: diagnostics });
      for (const wake of editor.waiting) wake();
    });
    await connection.sendNotification(InitializedNotification.type, {});
    return editor;
  }

  /** Shuts the server down as editors do; returns its exit code. */
  async end(): Promise<number | null> {
    const ended = new Promise<number | null>((resolve) => this.process.once('exit', resolve));
    await this.connection.sendRequest(ShutdownRequest.type);
    await this.connection.sendNotification(ExitNotification.type);
    const code = await ended;
    this.connection.dispose();
    return code;
  }

  /** Opens a document, or an unsaved version of it. Returns its URI. */
  async open(path: string, text: string): Promise<string> {
    const uri = pathToFileURL(path).href;
    const languageId = path.endsWith('.yaml') ? 'yaml' : 'json';
    // A late answer about a document that was open before must not look like one about this.
    const version = ++this.opened * 1000;
    this.documents.set(uri, TextDocument.create(uri, languageId, version, text));
    const textDocument = { uri, languageId, version, text };
    await this.connection.sendNotification(DidOpenTextDocumentNotification.type, { textDocument });
    return uri;
  }

  async close(uri: string): Promise<void> {
    this.documents.delete(uri);
    this.published.delete(uri);
    await this.connection.sendNotification(DidCloseTextDocumentNotification.type, { textDocument: { uri } });
  }

  text(uri: string): string {
    return this.documents.get(uri)!.getText();
  }

  /** Replaces characters, and sends the server only the change. */
  async change(uri: string, offset: number, length: number, text: string): Promise<void> {
    const document = this.documents.get(uri)!;
    const range = { start: document.positionAt(offset), end: document.positionAt(offset + length) };
    const version = document.version + 1;
    const change = { range, text };
    TextDocument.update(document, [change], version);
    const textDocument = { uri, version };
    await this.connection.sendNotification(DidChangeTextDocumentNotification.type, {
      textDocument,
      contentChanges: [change],
    });
  }

  /** The diagnostics of the current version. */
  async diagnostics(uri: string): Promise<Diagnostic[]> {
    const { version } = this.documents.get(uri)!;
    for (;;) {
      const known = this.published.get(uri);
      if (known?.version === version) return known.found;
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          this.waiting.delete(wake);
          resolve();
        };
        this.waiting.add(wake);
      });
    }
  }

  /** The text in a range of a document. */
  at(uri: string, range: Range): string {
    return this.documents.get(uri)!.getText(range);
  }

  async complete(uri: string, offset: number): Promise<CompletionItem[]> {
    const found = await this.connection.sendRequest(CompletionRequest.type, this.place(uri, offset));
    return Array.isArray(found) ? found : (found?.items ?? []);
  }

  /** The document after a completion item is applied. */
  taken(uri: string, item: CompletionItem): string {
    return TextDocument.applyEdits(this.documents.get(uri)!, [item.textEdit as { range: Range; newText: string }]);
  }

  /** The game as text, what each line shows, as a part of the JSON, and how often it ran in the last tests. */
  async printed(uri: string): Promise<{
    readonly text: string;
    readonly shown: readonly (string | undefined)[];
    readonly runs: readonly (number | null)[];
  } | null> {
    const answer: {
      readonly text: string;
      readonly offsets: readonly number[];
      readonly runs: readonly (number | null)[];
    } | null = await this.connection.sendRequest('reenact/text', { uri });
    const json = this.documents.get(uri)?.getText() ?? '';
    return (
      answer && {
        text: answer.text,
        runs: answer.runs,
        shown: answer.offsets.map((offset) => (offset < 0 ? undefined : json.slice(offset, offset + 40))),
      }
    );
  }

  /** What an edited text of the game changes: the JSON after it, or the diagnostics of the text. */
  async written(uri: string, text: string): Promise<string | Diagnostic[] | null> {
    const answer: { readonly edits: TextEdit[]; readonly diagnostics: Diagnostic[] } | null =
      await this.connection.sendRequest('reenact/write', { uri, text });
    if (answer === null) return null;
    if (answer.diagnostics.length > 0) return answer.diagnostics;
    return TextDocument.applyEdits(this.documents.get(uri)!, answer.edits);
  }

  async hover(uri: string, offset: number): Promise<string> {
    const hover: Hover | null = await this.connection.sendRequest(HoverRequest.type, this.place(uri, offset));
    return hover === null ? '' : (hover.contents as { readonly value: string }).value;
  }

  async definition(uri: string, offset: number): Promise<Location[]> {
    return ((await this.connection.sendRequest(DefinitionRequest.type, this.place(uri, offset))) ?? []) as Location[];
  }

  async references(uri: string, offset: number): Promise<Location[]> {
    const context = { includeDeclaration: true };
    return (await this.connection.sendRequest(ReferencesRequest.type, { ...this.place(uri, offset), context })) ?? [];
  }

  async renamable(uri: string, offset: number): Promise<unknown> {
    return this.connection.sendRequest(PrepareRenameRequest.type, this.place(uri, offset));
  }

  /** The document after a rename. */
  async renamed(uri: string, offset: number, newName: string): Promise<string | undefined> {
    const edit = await this.connection.sendRequest(RenameRequest.type, { ...this.place(uri, offset), newName });
    return edit === null ? undefined : this.edited(uri, edit);
  }

  /** All edits of a rename, by document. */
  async renames(uri: string, offset: number, newName: string): Promise<NonNullable<WorkspaceEdit['changes']>> {
    const edit = await this.connection.sendRequest(RenameRequest.type, { ...this.place(uri, offset), newName });
    return edit?.changes ?? {};
  }

  edited(uri: string, edit: WorkspaceEdit): string {
    return TextDocument.applyEdits(this.documents.get(uri)!, edit.changes![uri]!);
  }

  async actions(uri: string, range: Range, only?: string): Promise<CodeAction[]> {
    const context = { diagnostics: [], ...(only === undefined ? {} : { only: [only] }) };
    const found = await this.connection.sendRequest(CodeActionRequest.type, { textDocument: { uri }, range, context });
    return (found ?? []) as CodeAction[];
  }

  async symbols(uri: string): Promise<DocumentSymbol[]> {
    const found = await this.connection.sendRequest(DocumentSymbolRequest.type, { textDocument: { uri } });
    return (found ?? []) as DocumentSymbol[];
  }

  async foldings(uri: string): Promise<FoldingRange[]> {
    return (await this.connection.sendRequest(FoldingRangeRequest.type, { textDocument: { uri } })) ?? [];
  }

  async workspaceSymbols(query: string): Promise<SymbolInformation[]> {
    return (await this.connection.sendRequest(WorkspaceSymbolRequest.type, { query })) as SymbolInformation[];
  }

  /** The words that editors colour by their meaning, each with its type. */
  async tokens(uri: string): Promise<string[]> {
    const found = await this.connection.sendRequest(SemanticTokensRequest.type, { textDocument: { uri } });
    const { tokenTypes } = this.capabilities.semanticTokensProvider!.legend;
    const data = found?.data ?? [];
    const start = { line: 0, character: 0 };
    return Array.from({ length: data.length / 5 }, (_, i) => {
      const [lines, characters, length, type] = data.slice(5 * i) as [number, number, number, number];
      if (lines > 0) start.character = 0;
      start.line += lines;
      start.character += characters;
      const end = { line: start.line, character: start.character + length };
      return `${tokenTypes[type]} ${this.at(uri, { start, end })}`;
    });
  }

  async lenses(uri: string): Promise<CodeLens[]> {
    return (await this.connection.sendRequest(CodeLensRequest.type, { textDocument: { uri } })) ?? [];
  }

  /** Sends all requests about a position, which may be outside of the document. */
  async askAt(uri: string, position: Position): Promise<void> {
    const place = { textDocument: { uri }, position };
    await this.connection.sendRequest(CompletionRequest.type, place);
    await this.connection.sendRequest(HoverRequest.type, place);
    await this.connection.sendRequest(DefinitionRequest.type, place);
    await this.connection.sendRequest(ReferencesRequest.type, { ...place, context: { includeDeclaration: true } });
    await this.connection.sendRequest(PrepareRenameRequest.type, place);
    await this.connection.sendRequest(RenameRequest.type, { ...place, newName: 'other' });
    await this.actions(uri, { start: position, end: position });
  }

  private place(uri: string, offset: number) {
    return { textDocument: { uri }, position: this.documents.get(uri)!.positionAt(offset) };
  }
}
