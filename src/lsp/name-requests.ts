import { pathToFileURL } from 'node:url';
import {
  type Location,
  ResponseError,
  SemanticTokensBuilder,
  SymbolKind,
  type TextDocumentPositionParams,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { isScenarioFile } from '../scenario/index.ts';
import { type Editor, pathOf } from './editor.ts';
import { nounOf, type Occurrence } from './game-names.ts';
import { placeAt, type Span, spansOf } from './json-text.ts';
import { rangeOf } from './outline.ts';
import { scenarioReference } from './scenario-file.ts';

export const tokenTypes = ['variable', 'function', 'class'];
const symbolKinds = [SymbolKind.Variable, SymbolKind.Function, SymbolKind.Class];

/** How editors show a kind of name: an index into `tokenTypes` and `symbolKinds`. */
function lookOf({ kind }: Occurrence) {
  return ['script', 'ability', 'unitAbility'].includes(kind) ? 1 : kind.endsWith('Type') ? 2 : 0;
}

/** Answers requests about the name under the cursor: where it is declared and used, and its renaming. */
export function answerNames(editor: Editor) {
  const { connection, documents } = editor;

  connection.onDefinition(
    editor.answer(
      'definition',
      (params) => {
        const { uri } = params.textDocument;
        const document = documents.get(uri);
        if (document === undefined || !isScenarioFile(uri)) {
          const target = targetAt(editor, params);
          return target === undefined ? [] : locationsOf(target.document, target.all.filter(isDeclaration));
        }
        const reference = scenarioReference(document.getText(), document.offsetAt(params.position), pathOf(uri));
        const file = reference && editor.gameAt(reference.game);
        if (reference === undefined || file?.names === undefined) return [];
        const found = [reference.value, reference.word]
          .map((name) => (name === undefined ? [] : file.names!.named(name)))
          .find((each) => each.length > 0);
        const game = TextDocument.create(pathToFileURL(reference.game).href, 'json', 0, file.text);
        return locationsOf(game, found ?? []);
      },
      [],
    ),
  );

  connection.onReferences(
    editor.answer(
      'references',
      (params) => {
        const target = targetAt(editor, params);
        if (target === undefined) return [];
        const { includeDeclaration } = params.context;
        const shown = target.all.filter(({ role }) => role === 'use' || includeDeclaration);
        return locationsOf(target.document, shown);
      },
      [],
    ),
  );

  connection.onWorkspaceSymbol(
    editor.answer(
      'symbols',
      ({ query }) =>
        documents.all().flatMap(({ uri }) => {
          const game = editor.acceptedGameOf(uri);
          if (game === undefined) return [];
          const found = (game.readable.names?.declarations ?? []).filter(({ key, thing }) =>
            `${key} ${thing?.name}`.toLowerCase().includes(query.toLowerCase()),
          );
          return placesOf(game.document, found).map(({ occurrence, location }) => ({
            name: occurrence.thing?.name ?? occurrence.key,
            kind: symbolKinds[lookOf(occurrence)]!,
            containerName: nounOf(occurrence.kind),
            location,
          }));
        }),
      [],
    ),
  );

  connection.languages.semanticTokens.on(
    editor.answerGame(
      'tokens',
      ({ document, readable }) => {
        const builder = new SemanticTokensBuilder();
        const places = placesOf(document, readable.names?.all ?? []);
        const offsetOf = ({ location: { range } }: Place) => document.offsetAt(range.start);
        for (const { occurrence, location } of places.sort((a, b) => offsetOf(a) - offsetOf(b))) {
          const { start, end } = location.range;
          builder.push(start.line, start.character, end.character - start.character, lookOf(occurrence), 0);
        }
        return builder.build();
      },
      { data: [] },
    ),
  );

  connection.onPrepareRename(
    editor.answer(
      'rename',
      (params) => {
        const target = targetAt(editor, params);
        if (target === undefined) return null;
        const { start, end } = target.span;
        // The range to rename excludes the quotes.
        const range = rangeOf(target.document, { start: start + 1, end: end - 1 });
        return { range, placeholder: target.key };
      },
      null,
    ),
  );

  connection.onRenameRequest(
    editor.answer(
      'rename',
      (params) => {
        const target = targetAt(editor, params);
        if (target === undefined) return null;
        const { document, kind, key, all, names } = target;
        const { newName } = params;
        if (editor.gameOf(document.uri)?.file.game === undefined)
          throw new ResponseError(-32803, 'Nothing can be renamed while the game is not a valid definition.');
        if (newName === '' || newName.startsWith('__proto__'))
          throw new ResponseError(-32602, `"${newName}" is not allowed as a name.`);
        if (newName !== key && names.of(kind, newName).some(isDeclaration))
          throw new ResponseError(-32602, `Another ${nounOf(kind)} already has the name "${newName}".`);
        const newText = JSON.stringify(newName);
        const edits = locationsOf(document, all).map(({ range }) => ({ range, newText }));
        return { changes: { [document.uri]: edits } };
      },
      null,
    ),
  );
}

/** The name under the cursor and all its occurrences; undefined if there is none. */
function targetAt(editor: Editor, { textDocument: { uri }, position }: TextDocumentPositionParams) {
  const game = editor.acceptedGameOf(uri);
  if (game === undefined) return undefined;
  const { document, readable } = game;
  const { names } = readable;
  const text = document.getText();
  const { pointer, isMember, span } = placeAt(text, document.offsetAt(position));
  const occurrence = names?.at(pointer, isMember);
  if (names === undefined || occurrence === undefined || !isAt(text, span, occurrence)) return undefined;
  const { kind, key } = occurrence;
  return { document, kind, key, all: names.of(kind, key), names, span };
}

interface Place {
  readonly occurrence: Occurrence;
  readonly location: Location;
}

function placesOf(document: TextDocument, occurrences: readonly Occurrence[]) {
  const text = document.getText();
  return spansOf(text, occurrences).flatMap((span, i) => {
    const occurrence = occurrences[i]!;
    if (span === undefined || !isAt(text, span, occurrence)) return [];
    return { occurrence, location: { uri: document.uri, range: rangeOf(document, span) } };
  });
}

function locationsOf(document: TextDocument, occurrences: readonly Occurrence[]) {
  return placesOf(document, occurrences).map(({ location }) => location);
}

function isDeclaration({ role }: Occurrence) {
  return role === 'declaration';
}

/**
 * Whether a name is still at its position. If the document is invalid, positions come from an earlier version and may
 * have changed.
 */
function isAt(text: string, { start, end }: Span, { key }: Occurrence) {
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
