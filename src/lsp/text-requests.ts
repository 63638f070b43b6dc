import { fileURLToPath, pathToFileURL } from 'node:url';
import { isScenarioFile } from '../scenario/index.ts';
import { completions } from './complete.ts';
import { type Editor, pathOf } from './editor.ts';
import { hoverText } from './hover.ts';
import { placeAt } from './json-text.ts';
import { rangeOf } from './outline.ts';
import { scenarioCompletions, scenarioHover } from './scenario-file.ts';

/** Answers requests about the text at the cursor: completion and hover. */
export function answerText(editor: Editor): void {
  const { connection, documents } = editor;

  connection.onCompletion(
    editor.answer(
      'completion',
      ({ textDocument: { uri }, position }) => {
        const document = documents.get(uri);
        if (document === undefined) return [];
        const offset = document.offsetAt(position);
        if (isScenarioFile(uri)) {
          const base = pathToFileURL(pathOf(uri));
          const gameAt = (path: string) => editor.gameAt(fileURLToPath(new URL(path, base)))?.game?.definition;
          return scenarioCompletions(document, offset, editor.answer('game', gameAt, undefined));
        }
        const game = editor.acceptedGameOf(uri);
        return game === undefined ? [] : completions(document, offset, game.known, editor.dialect, editor.isSnippet);
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
