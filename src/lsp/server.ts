import {
  CodeActionKind,
  type Connection,
  type InitializeParams,
  type InitializeResult,
  TextDocumentSyncKind,
} from 'vscode-languageserver/node';
import type { Dictionary } from '../../engine/core/index.ts';
import { isDialectName } from '../../engine/index.ts';
import { Editor } from './editor.ts';
import { answerNames, tokenTypes } from './name-requests.ts';
import { type Project, Reporting } from './reporting.ts';
import { answerStructure } from './structure-requests.ts';
import { answerText } from './text-requests.ts';

/**
 * Serves an editor over a connection, with the Language Server Protocol. No document can make the server fail: a
 * request that fails has an empty result.
 */
export function serveEditor(connection: Connection, version: string, project: Project) {
  const editor = new Editor(connection);
  const reporting = new Reporting(editor, project);
  const { documents } = editor;
  connection.onInitialize((params) => ({ serverInfo: { name: 'reenact', version }, ...initialize(editor, params) }));

  documents.onDidChangeContent(({ document }) => reporting.later(document.uri));
  documents.onDidClose(({ document: { uri } }) => {
    editor.forget(uri);
    reporting.end(uri);
  });

  answerText(editor);
  answerNames(editor);
  answerStructure(editor);
  documents.listen(connection);
  connection.listen();
}

/** Stores the options that the editor sends, and returns the capabilities of the server. */
function initialize(editor: Editor, { capabilities, initializationOptions }: InitializeParams): InitializeResult {
  const { isTrusted, dialect, commands } = (initializationOptions ?? {}) as Dictionary;
  editor.isTrusted = isTrusted === true;
  if (isDialectName(dialect)) editor.dialect = dialect;
  if (Array.isArray(commands)) editor.commands = new Set(commands.map(String));
  editor.isSnippet = capabilities.textDocument?.completion?.completionItem?.snippetSupport ?? false;
  return {
    capabilities: {
      textDocumentSync: TextDocumentSyncKind.Incremental,
      foldingRangeProvider: true,
      workspaceSymbolProvider: true,
      semanticTokensProvider: { legend: { tokenTypes, tokenModifiers: [] }, full: true },
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
}
