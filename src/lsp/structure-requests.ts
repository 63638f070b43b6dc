import { CodeActionKind } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { locateNearest } from '../../engine/core/index.ts';
import { lastCoverage } from '../report/index.ts';
import { shownLines, textEdits, thingsOf } from '../review/index.ts';
import { placed } from './diagnostics.ts';
import { type Editor, pathOf } from './editor.ts';
import { fixAll, fixes, textEdit } from './fixes.ts';
import { foldings, lenses, outline } from './outline.ts';

/** Answers requests about a whole definition: its outline, the commands for its parts, and its fixes. */
export function answerStructure(editor: Editor) {
  const { connection } = editor;

  connection.onDocumentSymbol(
    editor.answerGame('outline', ({ readable, document }) => outline(readable, document), []),
  );

  connection.onFoldingRanges(editor.answerGame('folding', ({ document }) => foldings(document.getText()), []));

  const coverageOf = editor.answer(
    'coverage',
    (uri: string) => (uri.startsWith('file:') ? lastCoverage(pathOf(uri)) : undefined),
    undefined,
  );

  // The printed text of a game. For each line, `offsets` contains the offset in the JSON of the value that the line
  // shows (-1 if the line shows no single value), and `runs` how often the line ran in the last tests, or null.
  connection.onRequest(
    'reenact/text',
    editor.answer(
      'text',
      ({ uri }: { readonly uri: string }) => {
        const { game, document, text } = editor.gameOf(uri)?.readable ?? editor.gameAt(pathOf(uri))!;
        if (game === undefined) return null;
        const lines = shownLines(thingsOf(document, game));
        const located = locateNearest(
          text,
          lines.map(({ pointer }) => pointer),
        );
        const runs = coverageOf(uri);
        return {
          text: lines.map((line) => `${line.text}\n`).join(''),
          offsets: lines.map(({ pointer }) => (pointer === '' ? -1 : located.get(pointer)!.offset)),
          runs: lines.map(({ pointer }) => runs?.[pointer] ?? null),
        };
      },
      null,
    ),
  );

  // The edits of the JSON that make it equal to an edited text of the game, or the diagnostics of the text that prevent
  // them.
  connection.onRequest(
    'reenact/write',
    editor.answer(
      'write',
      ({ uri, text: edited }: Readonly<Record<'uri' | 'text', string>>) => {
        const { game, document, text } = editor.gameOf(uri)?.file ?? editor.gameAt(pathOf(uri))!;
        if (game === undefined) return null;
        const { edits, issues } = textEdits(text, game, thingsOf(document, game), edited);
        const json = TextDocument.create(uri, 'json', 0, text);
        return {
          edits: edits.map((edit) => textEdit(json, edit)),
          diagnostics: placed(issues, TextDocument.create(uri, 'reenact', 0, edited)).map((each) => each.diagnostic),
        };
      },
      null,
    ),
  );

  connection.onCodeLens(
    editor.answerGame(
      'lenses',
      ({ readable, document }) => lenses(readable, document, editor.commands, coverageOf(document.uri)),
      [],
    ),
  );

  connection.onCodeAction(
    editor.answerGame(
      'fixes',
      (game, { range, context: { only } }) => {
        const wants = (kind: string) => only === undefined || only.some((each) => kind.startsWith(each));
        return [
          ...(wants(CodeActionKind.QuickFix) ? fixes(game.document, game.placed, range) : []),
          ...(only?.some((kind) => kind.startsWith(CodeActionKind.Source)) ? fixAll(game.issues, game.document) : []),
        ];
      },
      [],
    ),
  );
}
