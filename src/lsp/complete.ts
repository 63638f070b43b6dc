import { parse } from 'jsonc-parser';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import {
  type CompletionItem,
  CompletionItemKind,
  InsertTextFormat,
  type MarkupContent,
} from 'vscode-languageserver-types';
import { defined, isObject } from '../../engine/core/index.ts';
import {
  type CatalogueOperation,
  catalogue,
  type Definition,
  type DialectName,
  dialectNamed,
  type LoadedGame,
  loadDefinition,
} from '../../engine/index.ts';
import { declarationsOf, definitionReferences, scriptsOf } from '../../engine/tools.ts';
import { exampleOf, operationOf, type SchemaAtPath, schemaAt, signature } from '../language/index.ts';
import { namesIn, ValueTypes } from '../model/index.ts';
import type { GameFile } from './game-file.ts';
import { type JsonCursor, placeAt, valueAt } from './json-text.ts';

/**
 * A name that is inserted at the cursor before the text is read, so that the position can be found again. No name in a
 * game is equal to it.
 */
const placeholder = '\u2060here\u2060';

interface Proposal {
  readonly label: string;
  readonly kind: CompletionItemKind;
  readonly detail?: string | undefined;
  readonly about?: string | undefined;
  /** The JSON to insert, if it differs from the label. */
  readonly json?: string;
  /** Proposals are sorted by rank, lowest first. */
  readonly rank: number;
}

/**
 * The completions at the cursor: keys, words of the language, and names in the game. `isSnippet` says whether the
 * client supports snippets with placeholders.
 */
export function completions(
  document: TextDocument,
  offset: number,
  game: GameFile,
  dialect: DialectName,
  isSnippet: boolean,
): CompletionItem[] {
  const text = document.getText();
  const place = placeAt(text, offset);
  const hasColon = /^\s*:/.test(text.slice(place.span.end, place.span.end + 200));
  const filled = (value: string): unknown => {
    const written = place.isMember && !hasColon ? `"${placeholder}":${value}` : `"${placeholder}"`;
    return parsed(text.slice(0, place.span.start) + written + text.slice(place.span.end));
  };
  const keys = place.isMember ? [...place.keys.slice(0, -1), placeholder] : place.keys;
  const json = filled('1');
  const of = game.game?.definition;
  const proposals = place.isMember ? memberProposals(keys, json, of) : valueProposals(place, json, of);
  const values = place.isMember && !hasColon ? ['1', '{}'] : ['1'];
  for (const value of mayRefer(keys, json, place.isMember) ? values : []) {
    const names = namesThatFit(keys, value === '1' ? json : filled(value), game, dialect);
    proposals.push(...names);
    if (names.length > 0) break;
  }
  return items(document, place, proposals, hasColon, isSnippet);
}

/**
 * Whether the schema allows a name from the game here: not as the key of an object with declared keys, and not as a
 * value that cannot be a string. This is checked first, because finding the names takes long.
 */
function mayRefer(keys: JsonCursor['keys'], json: unknown, isMember: boolean) {
  const schema = schemaAt(isMember ? keys.slice(0, -1) : keys, json);
  if (schema === undefined) return true;
  return isMember ? schema.members.size === 0 : schema.types.length === 0 || schema.types.includes('string');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return parse(text, [], { allowTrailingComma: true });
  }
}

function memberProposals(keys: JsonCursor['keys'], json: unknown, game?: Definition): Proposal[] {
  const above = keys.slice(0, -1);
  const object = valueAt(json, above);
  const given = new Set(isObject(object) ? Object.keys(object) : []);
  const members = [...(schemaAt(above, json, game)?.members ?? [])].filter(([key]) => !given.has(key));
  const operation = operationOf(object, game);
  return members.map(([key, about]) => ({
    label: key,
    kind: CompletionItemKind.Property,
    about,
    rank: operation?.params.some((param) => param.key === key) ? 0 : 1,
    json: valueStart(schemaAt([...above, key], json, game)),
  }));
}

/** The snippet to insert after the colon of a new member. */
function valueStart(schema: SchemaAtPath | undefined) {
  const { types = [], param, syntax, words } = schema ?? {};
  if (param?.type === 'actions' || param?.type === 'condition' || types[0] === 'array') return '[$1]';
  if (types[0] === 'object') return '{$1}';
  if (types[0] === 'boolean') return '$' + '{1:true}';
  if (types[0] === 'number' || types[0] === 'integer' || param?.type === 'number') return '$' + '{1:0}';
  const isText = types[0] === 'string' || (words?.size ?? 0) > 0 || (syntax === undefined && types.length === 0);
  return isText ? '"$1"' : '$1';
}

function valueProposals(place: JsonCursor, json: unknown, game?: Definition): Proposal[] {
  const { keys, isString } = place;
  const schema = schemaAt(keys, json, game);
  if (schema === undefined) return [];
  const operations = operationProposals(keys, schema, isString, game);
  if (operations !== undefined) return operations;
  const words = [...schema.words].map(([label, about]) => ({
    label,
    about,
    kind: CompletionItemKind.EnumMember,
    rank: 1,
  }));
  const isBoolean = schema.types.includes('boolean') || schema.param?.type === 'boolean';
  const literals = isBoolean && !isString ? ['true', 'false'] : [];
  return [...words, ...literals.map((label) => ({ label, json: label, kind: CompletionItemKind.Keyword, rank: 1 }))];
}

/**
 * Proposes names of operations and triggers, and whole actions and calls at positions where an action or a call can
 * begin. Undefined at other positions.
 */
function operationProposals(
  keys: JsonCursor['keys'],
  { syntax, param, words }: SchemaAtPath,
  isString: boolean,
  game?: Definition,
): Proposal[] | undefined {
  const { actions, functions, triggers } = catalogue(game);
  const named = (row: CatalogueOperation) => {
    return { label: row.type, kind: CompletionItemKind.Function, detail: signature(row), about: row.about, rank: 1 };
  };
  const last = keys.at(-1);
  if (last === 'type' && words.has(actions[0]!.type)) return actions.map(named);
  if (last === 'function' && words.has(functions[0]!.type)) return functions.map(named);
  if (last === 'type' && words.has(triggers[0]!.type))
    return triggers.map(({ type, about }) => ({ label: type, about, kind: CompletionItemKind.Event, rank: 1 }));
  if (syntax === undefined || isString) return undefined;
  return (syntax === 'action' ? actions : functions).map((row) => {
    const fits = param === undefined || row.returns === param.type || row.returns === 'any';
    return { ...named(row), json: JSON.stringify(exampleOf(row)), rank: fits ? 2 : 3 };
  });
}

interface Table {
  keys(): Iterable<string>;
}

/**
 * The names in the game to which the value at the cursor can refer. To find them, the document is read with the
 * placeholder as a name. The reference to the placeholder then tells in which tables a name is looked up.
 */
function namesThatFit(keys: JsonCursor['keys'], json: unknown, game: GameFile, dialect: DialectName) {
  const script = scriptWithPlaceholder(keys, json);
  const tables =
    script === undefined
      ? tablesOfField(json)
      : tablesOfOperand(script, game.game ?? loadDefinition(json).game, dialect);
  const names = new Map<string, Proposal>();
  for (const table of tables) {
    for (const key of table.keys()) {
      const thing = table instanceof Map ? (table.get(key) as { readonly name?: unknown } | undefined) : undefined;
      const name = typeof thing?.name === 'string' && thing.name !== key ? thing.name : undefined;
      if (key !== placeholder && !names.has(key))
        names.set(key, { label: key, detail: name, kind: CompletionItemKind.Reference, rank: 0 });
    }
  }
  return [...names.values()];
}

/**
 * A definition that contains only the script around the position, because reading a whole large game would take too
 * long for completion. Undefined outside of scripts.
 */
function scriptWithPlaceholder(keys: JsonCursor['keys'], json: unknown) {
  const at = keys.indexOf('scripts');
  const key = keys[at + 1];
  if (at < 0 || key === undefined || !['actions', 'conditions'].includes(String(keys[at + 2]))) return undefined;
  const script = valueAt(json, keys.slice(0, at + 2));
  return loadDefinition({ scripts: { [key]: script } }).game?.definition;
}

/**
 * The tables with the names that an operand can refer to. `game`, which declares the names, is the version of the game
 * that was read last.
 */
function tablesOfOperand(only: Definition, game: LoadedGame | undefined, dialect: DialectName): Table[] {
  if (game === undefined) return [];
  const { definition } = game;
  const types = new ValueTypes(definition);
  return scriptsOf(only).scripts.flatMap((script) =>
    namesIn(script, types)
      .filter(({ key }) => key === placeholder)
      .flatMap(({ kind }) => [...declarationsOf(kind, definition, dialectNamed(dialect))]),
  );
}

function tablesOfField(json: unknown): Table[] {
  const { game } = loadDefinition(json);
  if (game === undefined) return [];
  const found = definitionReferences(game.definition, json).find(({ key }) => key === placeholder);
  return [...(found?.targets ?? [])];
}

function items(
  document: TextDocument,
  { span, isMember }: JsonCursor,
  proposals: readonly Proposal[],
  hasColon: boolean,
  isSnippet: boolean,
): CompletionItem[] {
  const range = { start: document.positionAt(span.start), end: document.positionAt(span.end) };
  const after = document
    .getText()
    .slice(span.end, span.end + 200)
    .trimStart();
  const comma = !hasColon && /^["{[\w]/.test(after) ? ',' : '';
  return proposals.map(({ label, kind, detail, about, json, rank }) => {
    const quoted = JSON.stringify(label);
    const written = isMember
      ? hasColon
        ? quoted
        : `${isSnippet ? escaped(quoted) : quoted}: ${json ?? '$1'}`
      : (json ?? quoted);
    const isPlain = !isMember || hasColon;
    const documentation: MarkupContent | undefined =
      about === undefined ? undefined : { kind: 'markdown', value: about };
    return {
      label,
      kind,
      ...defined({ detail, documentation }),
      sortText: `${rank}${label}`,
      // The filter includes the name of a thing, because users also search for it.
      filterText: `"${label}${kind === CompletionItemKind.Reference && detail !== undefined ? ` ${detail}` : ''}"`,
      insertTextFormat: isPlain || !isSnippet ? InsertTextFormat.PlainText : InsertTextFormat.Snippet,
      textEdit: { range, newText: `${isPlain || isSnippet ? written : withoutStops(written)}${comma}` },
    };
  });
}

function escaped(text: string) {
  return text.replaceAll(/[\\$}]/g, '\\$&');
}

/** Converts a snippet to a plain string. */
function withoutStops(snippet: string) {
  return snippet.replaceAll(/\$\{\d+:([^}]*)\}/g, '$1').replaceAll(/\$\d+/g, '');
}
