import { CodeActionKind } from 'vscode-languageserver/node';
import { lastCoverage } from '../report/index.ts';
import { type Editor, pathOf } from './editor.ts';
import { fixAll, fixes } from './fixes.ts';
import { lenses, outline } from './outline.ts';

/** Answers requests about a whole definition: its outline, the commands for its parts, and its fixes. */
export function answerStructure(editor: Editor): void {
  const { connection } = editor;

  connection.onDocumentSymbol(
    editor.answer(
      'outline',
      ({ textDocument: { uri } }) => {
        const game = editor.gameOf(uri);
        return game === undefined ? [] : outline(game.readable, game.document);
      },
      [],
    ),
  );

  const coverageOf = editor.answer(
    'coverage',
    (uri: string) => (uri.startsWith('file:') ? lastCoverage(pathOf(uri)) : undefined),
    undefined,
  );
  connection.onCodeLens(
    editor.answer(
      'lenses',
      ({ textDocument: { uri } }) => {
        const game = editor.gameOf(uri);
        return game === undefined ? [] : lenses(game.readable, game.document, editor.commands, coverageOf(uri));
      },
      [],
    ),
  );

  connection.onCodeAction(
    editor.answer(
      'fixes',
      ({ textDocument: { uri }, range, context: { only } }) => {
        const game = editor.acceptedGameOf(uri);
        if (game === undefined) return [];
        const wants = (kind: string): boolean => only === undefined || only.some((each) => kind.startsWith(each));
        const all = only?.some((kind) => kind.startsWith(CodeActionKind.Source))
          ? fixAll(game.issues, game.document)
          : undefined;
        return [
          ...(wants(CodeActionKind.QuickFix) ? fixes(game.document, game.placed, range) : []),
          ...(all === undefined ? [] : [all]),
        ];
      },
      [],
    ),
  );
}
