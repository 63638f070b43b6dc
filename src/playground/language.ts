import { TextDocument } from 'vscode-languageserver-textdocument';
import type { CompletionItem, TextEdit } from 'vscode-languageserver-types';
import {
  completions,
  GameFile,
  hoverText,
  isRefused,
  placeAt,
  scenarioCompletions,
  scenarioHover,
} from '../lsp/index.ts';
import type { Completion, Hover, Requests, TextCursor } from './worker-messages.ts';

/* Answers the editor's questions about a position in the text, with functions of the language server. */

let last: GameFile | undefined;
/** The last text that was a valid game: its names are used while the current text is incomplete. */
let readable: GameFile | undefined;

function read(text: string) {
  if (isRefused(text)) return undefined;
  if (last?.text !== text) last = new GameFile(text, 'standard');
  if (last.game !== undefined) readable = last;
  return readable ?? last;
}

const proposalsMax = 300;

export function complete({ text, offset }: TextCursor): readonly Completion[] {
  const game = read(text);
  if (game === undefined) return [];
  const document = TextDocument.create('game.json', 'json', 0, text);
  return shown(
    document,
    completions(document, offset, game, 'standard', false).sort((a, b) => (a.sortText! < b.sortText! ? -1 : 1)),
  );
}

/** Proposals for a position in a scenario file. */
export function completeScenario({
  text,
  offset,
  game,
}: Requests['completeScenario']['params']): readonly Completion[] {
  const document = TextDocument.create('game.scenario.yaml', 'yaml', 0, text);
  const { definition } = read(game)?.game ?? {};
  return shown(
    document,
    scenarioCompletions(document, offset, () => definition),
  );
}

export function hoverScenario({ text, offset }: TextCursor): Hover | null {
  const markdown = scenarioHover(text, offset);
  return markdown === undefined ? null : { markdown, from: offset, to: offset };
}

function shown(document: TextDocument, found: readonly CompletionItem[]) {
  return found.slice(0, proposalsMax).map(({ label, detail, documentation, textEdit }) => {
    const { range, newText } = textEdit as TextEdit;
    const about = typeof documentation === 'object' ? documentation.value : documentation;
    return {
      label,
      detail,
      about,
      from: document.offsetAt(range.start),
      to: document.offsetAt(range.end),
      text: newText,
    };
  });
}

export function hover({ text, offset }: TextCursor): Hover | null {
  const game = read(text);
  if (game === undefined) return null;
  const place = placeAt(text, offset);
  const markdown = hoverText(game, place);
  return markdown === undefined ? null : { markdown, from: place.span.start, to: place.span.end };
}
