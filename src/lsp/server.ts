import { readFileSync, statSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  CodeActionKind,
  type Connection,
  type DocumentSymbol,
  type InitializeParams,
  type InitializeResult,
  type Location,
  ResponseError,
  TextDocumentSyncKind,
  TextDocuments,
  type WorkspaceEdit,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { stackOf } from '../../engine/core/index.ts';
import { type DialectName, type Issue, isDialectName } from '../../engine/index.ts';
import { lastCoverage } from '../report/index.ts';
import { Games, isScenarioFile } from '../scenario/index.ts';
import type { CheckTask } from './check-thread.ts';
import { Checker } from './checker.ts';
import { completions } from './complete.ts';
import { placed } from './diagnostics.ts';
import { fixAll, fixes } from './fixes.ts';
import { GameFile, looksLikeGame } from './game-file.ts';
import { nouns, type Occurrence } from './game-names.ts';
import { hoverText } from './hover.ts';
import { placeAt, type Span, spansOf } from './json-text.ts';
import { OpenGame } from './open-game.ts';
import { lenses, outline, rangeOf } from './outline.ts';
import { scenarioCompletions, scenarioDiagnostics, scenarioHover, scenarioReference } from './scenario-file.ts';

/**
 * The delay in ms between the last key press and the check, so that fast typing does not start a check for each key.
 */
const quietMs = 10;

/**
 * The delay in ms between the check and the search for names. This work is done in advance, so that the first hover or
 * name request after a change is fast, too.
 */
const idleMs = 200;

interface EditorOptions {
  readonly version: string;
  /** The modules that apply to a file: those with the project's rules, and the one with its host. May throw. */
  codeOf(file: string): Pick<CheckTask, 'rules' | 'host'>;
  /** Applies the project's severities and exceptions to the issues of a file. May throw. */
  configured(file: string, issues: readonly Issue[]): readonly Issue[];
}

/** The name under the cursor, with its occurrence in a definition. */
interface Target {
  readonly document: TextDocument;
  readonly occurrence: Occurrence;
  readonly file: GameFile;
  readonly span: Span;
}

/**
 * Serves an editor over a connection, with the Language Server Protocol. No document can make the server fail: a
 * request that fails has an empty result.
 */
export function serveEditor(connection: Connection, { version, codeOf, configured }: EditorOptions): void {
  const documents = new TextDocuments(TextDocument);
  const games = new Map<string, OpenGame>();
  const timers = new Map<string, NodeJS.Timeout>();
  const checker = new Checker();
  /** The definitions that the thread is checking. The next check of the same definition waits for the current one. */
  const checking = new Set<string>();
  /** The definitions that scenarios use and that are not open in the editor, by path. */
  const onDisk = new Map<string, { readonly stamp: string; readonly file: GameFile }>();
  let dialect: DialectName = 'standard';
  let isSnippet = false;
  /** Whether the editor trusts the project, so that its code may run. */
  let isTrusted = false;
  let commands: ReadonlySet<string> = new Set();

  connection.onInitialize(({ capabilities, initializationOptions }: InitializeParams): InitializeResult => {
    const options = (initializationOptions ?? {}) as Readonly<
      Partial<Record<'dialect' | 'commands' | 'isTrusted', unknown>>
    >;
    isTrusted = options.isTrusted === true;
    if (typeof options.dialect === 'string' && isDialectName(options.dialect)) dialect = options.dialect;
    if (Array.isArray(options.commands)) commands = new Set(options.commands.map(String));
    isSnippet = capabilities.textDocument?.completion?.completionItem?.snippetSupport ?? false;
    return {
      serverInfo: { name: 'reenact', version },
      capabilities: {
        textDocumentSync: TextDocumentSyncKind.Incremental,
        completionProvider: { triggerCharacters: ['"', ':', ' '] },
        hoverProvider: true,
        definitionProvider: true,
        referencesProvider: true,
        renameProvider: { prepareProvider: true },
        documentSymbolProvider: true,
        codeLensProvider: {},
        codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix, `${CodeActionKind.SourceFixAll}.reenact`] },
      },
    };
  });

  /** The current version of an open definition; undefined for other documents. */
  function gameOf(uri: string): OpenGame | undefined {
    const document = documents.get(uri);
    if (document === undefined || isScenarioFile(uri)) return undefined;
    let game = games.get(uri);
    if (game?.version !== document.version) {
      if (game === undefined && !looksLikeGame(document.getText())) return undefined;
      game = new OpenGame(document, dialect, game);
      games.set(uri, game);
    }
    return game;
  }

  function report(uri: string): void {
    timers.delete(uri);
    const document = documents.get(uri);
    if (document === undefined) return;
    if (isScenarioFile(uri)) {
      const diagnostics = scenarioDiagnostics(document, pathOf(uri), openGames());
      void connection.sendDiagnostics({ uri, version: document.version, diagnostics });
      return;
    }
    const game = gameOf(uri);
    if (game !== undefined && !checking.has(uri)) void check(uri, game);
  }

  async function check(uri: string, game: OpenGame): Promise<void> {
    checking.add(uri);
    try {
      const none = { rules: [] };
      const code = isTrusted && uri.startsWith('file:') ? guarded('rules', () => codeOf(pathOf(uri)), none) : none;
      const { issues, words } = await checker.check({ text: game.document.getText(), dialect, ...code });
      game.learn(words);
      if (gameOf(uri) === game) publish(uri, game, issues);
    } catch (error) {
      complain('check', error);
    } finally {
      checking.delete(uri);
    }
    const now = gameOf(uri);
    if (now !== undefined && now !== game && !timers.has(uri)) later(uri, 0);
  }

  function publish(uri: string, game: OpenGame, issues: readonly Issue[]): void {
    const shown = guarded('configuration', () => configured(pathOf(uri), issues), issues);
    game.issues = issues;
    game.placed = placed(shown, game.document);
    const diagnostics = game.placed.map(({ diagnostic }) => diagnostic);
    void connection.sendDiagnostics({ uri, version: game.version, diagnostics });
    for (const other of documents.all()) if (isScenarioFile(other.uri)) later(other.uri);
    setTimeout(() => {
      if (games.get(uri) === game && game.document.version === game.version)
        // This call searches all scripts, so that their names are known for the next request.
        guarded('names', () => game.readable.names?.of('script', ''), undefined);
    }, idleMs);
  }

  function later(uri: string, ms = quietMs): void {
    clearTimeout(timers.get(uri));
    timers.set(
      uri,
      setTimeout(() => guarded('check', () => report(uri), undefined), ms),
    );
  }

  /** The games that scenarios use. Those that are open are taken from the editor, not from disk. */
  function openGames(): Games {
    const found = new Games();
    for (const uri of games.keys()) {
      const document = gameOf(uri)?.readable.document;
      if (document !== undefined) found.replace(pathOf(uri), document);
    }
    return found;
  }

  function gameAt(path: string): GameFile | undefined {
    const open = gameOf(pathToFileURL(path).href)?.readable;
    if (open !== undefined) return open;
    const { mtimeMs, size } = statSync(path);
    const stamp = `${mtimeMs} ${size}`;
    let known = onDisk.get(path);
    if (known?.stamp !== stamp) {
      known = { stamp, file: new GameFile(readFileSync(path, 'utf8'), dialect) };
      onDisk.set(path, known);
    }
    return known.file;
  }

  function guarded<T>(what: string, work: () => T, otherwise: T): T {
    try {
      return work();
    } catch (error) {
      if (error instanceof ResponseError) throw error;
      complain(what, error);
      return otherwise;
    }
  }

  function complain(what: string, error: unknown): void {
    connection.console.error(`${what}: ${stackOf(error)}`);
  }

  function coverageOf(uri: string): ReturnType<typeof lastCoverage> {
    return uri.startsWith('file:') ? guarded('coverage', () => lastCoverage(pathOf(uri)), undefined) : undefined;
  }

  /** The name under the cursor and its occurrences; undefined if there is none. */
  function targetAt(uri: string, position: { readonly line: number; readonly character: number }): Target | undefined {
    const game = gameOf(uri);
    if (game === undefined || game.isRefused) return undefined;
    const { document, readable: file } = game;
    const text = document.getText();
    const { pointer, isMember, span } = placeAt(text, document.offsetAt(position));
    const occurrence = file.names?.at(pointer, isMember);
    return occurrence === undefined || !isAt(text, span, occurrence) ? undefined : { document, occurrence, file, span };
  }

  function locationsOf(document: TextDocument, occurrences: readonly Occurrence[]): Location[] {
    const text = document.getText();
    return spansOf(text, occurrences).flatMap((span, i) =>
      span === undefined || !isAt(text, span, occurrences[i]!)
        ? []
        : [{ uri: document.uri, range: rangeOf(document, span) }],
    );
  }

  documents.onDidChangeContent(({ document }) => later(document.uri));
  documents.onDidClose(({ document: { uri } }) => {
    clearTimeout(timers.get(uri));
    timers.delete(uri);
    games.delete(uri);
    void connection.sendDiagnostics({ uri, diagnostics: [] });
  });

  connection.onCompletion(({ textDocument: { uri }, position }) =>
    guarded('completion', () => {
      const document = documents.get(uri);
      if (document === undefined) return [];
      const offset = document.offsetAt(position);
      if (isScenarioFile(uri)) {
        const base = pathToFileURL(pathOf(uri));
        return scenarioCompletions(document, offset, (path) =>
          guarded('game', () => gameAt(fileURLToPath(new URL(path, base)))?.game?.definition, undefined),
        );
      }
      const game = gameOf(uri);
      return game === undefined || game.isRefused ? [] : completions(document, offset, game.known, dialect, isSnippet);
    }, []),
  );

  connection.onHover(({ textDocument: { uri }, position }) =>
    guarded(
      'hover',
      () => {
        const document = documents.get(uri);
        if (document === undefined) return null;
        const text = document.getText();
        const offset = document.offsetAt(position);
        if (isScenarioFile(uri)) {
          const value = scenarioHover(text, offset);
          return value === undefined ? null : { contents: { kind: 'markdown' as const, value } };
        }
        const game = gameOf(uri);
        if (game === undefined || game.isRefused) return null;
        const place = placeAt(text, offset);
        const value = hoverText(game.readable, place);
        if (value === undefined) return null;
        return { contents: { kind: 'markdown' as const, value }, range: rangeOf(document, place.span) };
      },
      null,
    ),
  );

  connection.onDefinition(({ textDocument: { uri }, position }) =>
    guarded('definition', () => {
      const document = documents.get(uri);
      if (document !== undefined && isScenarioFile(uri)) {
        const reference = scenarioReference(document.getText(), document.offsetAt(position), pathOf(uri));
        const file = reference && gameAt(reference.game);
        if (reference === undefined || file?.names === undefined) return [];
        const found = [reference.value, reference.word]
          .map((name) => (name === undefined ? [] : file.names!.named(name)))
          .find((each) => each.length > 0);
        const game = TextDocument.create(pathToFileURL(reference.game).href, 'json', 0, file.text);
        return locationsOf(game, found ?? []);
      }
      const target = targetAt(uri, position);
      if (target === undefined) return [];
      const { kind, key } = target.occurrence;
      const all = target.file.names!.of(kind, key).filter(({ role }) => role === 'declaration');
      return locationsOf(target.document, all);
    }, []),
  );

  connection.onReferences(({ textDocument: { uri }, position, context }) =>
    guarded('references', () => {
      const target = targetAt(uri, position);
      if (target === undefined) return [];
      const { kind, key } = target.occurrence;
      const all = target.file.names!.of(kind, key);
      const shown = all.filter(({ role }) => role === 'use' || context.includeDeclaration);
      return locationsOf(target.document, shown);
    }, []),
  );

  connection.onPrepareRename(({ textDocument: { uri }, position }) =>
    guarded(
      'rename',
      () => {
        const target = targetAt(uri, position);
        if (target === undefined) return null;
        const { document, span, occurrence } = target;
        // The range to rename excludes the quotes.
        const inside = { start: span.start + 1, end: span.end - 1 };
        return { range: rangeOf(document, inside), placeholder: occurrence.key };
      },
      null,
    ),
  );

  connection.onRenameRequest(({ textDocument: { uri }, position, newName }) =>
    guarded(
      'rename',
      (): WorkspaceEdit | null => {
        const target = targetAt(uri, position);
        if (target === undefined) return null;
        const { document, file, occurrence } = target;
        const { kind, key } = occurrence;
        if (gameOf(document.uri)?.file.game === undefined)
          throw new ResponseError(-32803, 'The definition is not valid JSON at the moment, so nothing can be renamed.');
        if (newName === '' || newName.startsWith('__proto__'))
          throw new ResponseError(-32602, `"${newName}" cannot be a name.`);
        if (newName !== key && file.names!.of(kind, newName).some(({ role }) => role === 'declaration'))
          throw new ResponseError(-32602, `There is another ${nouns[kind]} "${newName}".`);
        const newText = JSON.stringify(newName);
        const edits = locationsOf(document, file.names!.of(kind, key)).map(({ range }) => ({ range, newText }));
        return { changes: { [document.uri]: edits } };
      },
      null,
    ),
  );

  connection.onDocumentSymbol(({ textDocument: { uri } }): DocumentSymbol[] =>
    guarded('outline', () => {
      const game = gameOf(uri);
      return game === undefined ? [] : outline(game.readable, game.document);
    }, []),
  );

  connection.onCodeLens(({ textDocument: { uri } }) =>
    guarded('lenses', () => {
      const game = gameOf(uri);
      return game === undefined ? [] : lenses(game.readable, game.document, commands, coverageOf(uri));
    }, []),
  );

  connection.onCodeAction(({ textDocument: { uri }, range, context: { only } }) =>
    guarded('fixes', () => {
      const game = gameOf(uri);
      if (game === undefined || game.isRefused) return [];
      const wants = (kind: string): boolean => only === undefined || only.some((each) => kind.startsWith(each));
      const all = only?.some((kind) => kind.startsWith(CodeActionKind.Source))
        ? fixAll(game.issues, game.document)
        : undefined;
      return [
        ...(wants(CodeActionKind.QuickFix) ? fixes(game.document, game.placed, range) : []),
        ...(all === undefined ? [] : [all]),
      ];
    }, []),
  );

  documents.listen(connection);
  connection.listen();
}

/**
 * Whether a name is still at its position. If the document is invalid, positions come from an earlier version and may
 * have changed.
 */
function isAt(text: string, { start, end }: Span, { key }: Occurrence): boolean {
  const written = text.slice(start, end);
  return written === JSON.stringify(key) || stringOf(written) === key;
}

/** The value of a JSON string; undefined if the text is not valid JSON. */
function stringOf(written: string): unknown {
  try {
    return JSON.parse(written);
  } catch {
    return undefined;
  }
}

function pathOf(uri: string): string {
  return uri.startsWith('file:') ? fileURLToPath(uri) : uri;
}
