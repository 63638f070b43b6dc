import { fileURLToPath, pathToFileURL } from 'node:url';
import type { CompletionItem, Position, TextEdit } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { isScenarioFile } from '../scenario/index.ts';
import { completions } from './complete.ts';
import { type Editor, pathOf } from './editor.ts';
import { hoverText } from './hover.ts';
import { placeAt } from './json-text.ts';
import { rangeOf } from './outline.ts';
import { scenarioCompletions, scenarioHover } from './scenario-file.ts';

/** Answers requests about the text at the cursor: completion and hover. */
export function answerText(editor: Editor) {
  const { connection, documents } = editor;

  connection.onCompletion(
    editor.answer(
      'completion',
      ({ textDocument: { uri }, position }) => {
        const document = documents.get(uri);
        if (document === undefined) return [];
        const offset = document.offsetAt(position);
        const fitting = (items: readonly CompletionItem[]) => fittingItems(document, position, items);
        if (isScenarioFile(uri)) {
          const base = pathToFileURL(pathOf(uri));
          const gameAt = (path: string) => editor.gameAt(fileURLToPath(new URL(path, base)))?.game?.definition;
          return fitting(scenarioCompletions(document, offset, editor.answer('game', gameAt, undefined)));
        }
        const game = editor.acceptedGameOf(uri);
        if (game === undefined) return [];
        return fitting(completions(document, offset, game.known, editor.dialect, editor.isSnippet));
      },
      [],
    ),
  );

  connection.onHover(
    editor.answer(
      'hover',
      ({ textDocument: { uri }, position }) => {
        const document = documents.get(uri);
        if (document === undefined) return null;
        const text = document.getText();
        const offset = document.offsetAt(position);
        const game = editor.acceptedGameOf(uri);
        const place = game && placeAt(text, offset);
        const value = place ? hoverText(game!.readable, place) : isScenarioFile(uri) && scenarioHover(text, offset);
        if (!value) return null;
        return { contents: { kind: 'markdown', value }, ...(place && { range: rangeOf(document, place.span) }) };
      },
      null,
    ),
  );
}

/**
 * The items that contain the letters before the cursor in their order. Clients ask again when the user types more
 * letters.
 */
function fittingItems(document: TextDocument, position: Position, all: readonly CompletionItem[]) {
  const items = all.filter(({ label, filterText = label, textEdit }) => {
    const typed = document.getText({ start: (textEdit as TextEdit).range.start, end: position });
    let at = 0;
    for (const letter of typed.toLowerCase()) {
      at = filterText.toLowerCase().indexOf(letter, at) + 1;
      if (at === 0) return false;
    }
    return true;
  });
  return { isIncomplete: items.length < all.length, items };
}
