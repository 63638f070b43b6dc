import { dirname, resolve } from 'node:path';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import {
  type CompletionItem,
  CompletionItemKind,
  type Diagnostic,
  DiagnosticSeverity,
} from 'vscode-languageserver-types';
import { parseDocument } from 'yaml';
import { type Dictionary, defined, isRecord, messageOf } from '../../engine/core/index.ts';
import { type Definition, outputKinds, triggerTypes } from '../../engine/index.ts';
import { keyNames } from '../../engine/tools.ts';
import { properties } from '../expression/index.ts';
import {
  type Case,
  casesOf,
  type Games,
  GameUnreadable,
  InvalidFile,
  type NameKind,
  names,
  readScenarioText,
  scenarioFile,
  stepKindOf,
  steps,
  wrongNames,
} from '../scenario/index.ts';
import type { Schema } from '../schema/index.ts';
import { type Keys, valueAt, wordAround } from './json-text.ts';

/**
 * The maximum number of cases that are checked. In a scenario with a longer table, the other rows use the same names.
 */
const casesMax = 200;

/**
 * The maximum length of a scenario file in characters. Longer files are not written by hand, and reading them as YAML
 * would take seconds.
 */
const lengthMax = 1_000_000;

/** The problems that `reenact test` reports before it runs a scenario. */
export function scenarioDiagnostics(document: TextDocument, file: string, games: Games): Diagnostic[] {
  const text = document.getText();
  const at = (line: number | undefined, column: number | undefined, message: string): Diagnostic => {
    const start = { line: (line ?? 1) - 1, character: (column ?? 1) - 1 };
    const rest = text.slice(document.offsetAt(start), document.offsetAt(start) + 1000).split('\n', 1)[0]!;
    const end = { line: start.line, character: start.character + Math.max(1, rest.trimEnd().length) };
    return { range: { start, end }, severity: DiagnosticSeverity.Error, source: 'reenact', message };
  };
  if (text.length > lengthMax) return [at(1, 1, `The file is longer than ${lengthMax} characters and is not checked.`)];
  let cases: readonly Case[];
  try {
    cases = casesOf(readScenarioText(file, text), { seeds: ['0'] }).slice(0, casesMax);
  } catch (error) {
    if (error instanceof InvalidFile) return error.flaws.map(({ line, column, message }) => at(line, column, message));
    return [at(1, 1, `The file cannot be read: ${messageOf(error)}`)];
  }
  const found = new Map<string, Diagnostic>();
  const add = (line: number | undefined, message: string) => {
    const column = /\S/.exec(text.split('\n')[(line ?? 1) - 1] ?? '')?.index ?? 0;
    found.set(`${line} ${message}`, at(line, column + 1, message));
  };
  for (const each of cases) {
    try {
      for (const { step, lines } of wrongNames(each, games.game(each)))
        add(step === undefined ? each.line : each.stepLines[step], lines.join('\n'));
    } catch (error) {
      if (!(error instanceof GameUnreadable)) throw error;
      add(each.line, error.message);
    }
  }
  return [...found.values()];
}

/** A name that is inserted at the cursor before the text is read, so that the position can be found again. */
const placeholder = 'reenact\u2060here';

interface ScenarioCursor {
  readonly plan: unknown;
  readonly keys: Keys;
  readonly isMember: boolean;
  readonly schemas: readonly Schema[];
  /** The offsets of the word under the cursor; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
}

/**
 * Finds the position of a cursor in the structure of a scenario file. For this, the file is read with a placeholder at
 * the cursor, first as a key, then as a value. Undefined if neither gives a position.
 */
function scenarioCursorAt(text: string, offset: number): ScenarioCursor | undefined {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  const { start, end } = wordAround(text, offset, /[\w@$-]/);
  const before = text.slice(lineStart, start);
  const isFirst = /^\s*(?:- *)*["']?$/.test(before) || /[{,]\s*$/.test(before);
  const hasColon = /^["']?\s*:/.test(text.slice(end, end + 20));
  for (const isMember of isFirst ? [true, false] : [false]) {
    const written = isMember && !hasColon ? `${placeholder}: null` : placeholder;
    const plan = planOf(text.slice(0, start) + written + text.slice(end));
    const keys = pathTo(plan, isMember);
    if (keys === undefined) continue;
    const above = schemasAt(keys.slice(0, -1), plan);
    const schemas = isMember ? above : schemasAt(keys, plan);
    if (isMember && !above.some((schema) => schema.properties || schema.additionalProperties)) continue;
    return { plan, keys, isMember, schemas, start, end };
  }
  return undefined;
}

function planOf(text: string): unknown {
  if (text.length > lengthMax) return undefined;
  try {
    return parseDocument(text, { prettyErrors: false }).toJS({ maxAliasCount: 100 });
  } catch {
    return undefined;
  }
}

/**
 * The path to the placeholder; undefined if it is not found. The search is not recursive, because deeply nested
 * documents would overflow the stack.
 */
function pathTo(plan: unknown, isMember: boolean): Keys | undefined {
  const waiting: { readonly value: unknown; readonly keys: Keys }[] = [{ value: plan, keys: [] }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, keys } = next;
    if (!isMember && typeof value === 'string' && value.includes(placeholder)) return keys;
    if (Array.isArray(value)) {
      for (const [i, each] of value.entries()) waiting.push({ value: each, keys: [...keys, i] });
    } else if (isRecord(value)) {
      for (const [key, each] of Object.entries(value)) {
        if (isMember && key === placeholder) return [...keys, key];
        waiting.push({ value: each, keys: [...keys, key] });
      }
    }
  }
  return undefined;
}

/**
 * The schemas that can apply to the value at a path. For a step, this is only the schema of the kind of step that the
 * file contains there.
 */
function schemasAt(keys: Keys, plan: unknown): Schema[] {
  let schemas: Schema[] = [scenarioFile];
  let value = plan;
  for (const [i, key] of keys.entries()) {
    value = valueAt(value, [key]);
    const isStep = typeof key === 'number' && ['steps', 'when', 'then'].includes(String(keys[i - 1]));
    const kind = isStep && isRecord(value) ? stepKindOf(value) : undefined;
    schemas =
      kind === undefined
        ? schemas.flatMap((schema) => alternatives(schema)).flatMap((schema) => below(schema, key))
        : [steps[kind]];
  }
  return schemas.flatMap(alternatives);
}

function alternatives(schema: Schema): Schema[] {
  const { anyOf } = schema;
  if (anyOf === undefined) return [schema];
  const { description, [names]: kind } = schema;
  // The description and the kind of name of a schema with alternatives apply to each alternative.
  const shared = {
    ...defined({ description }),
    ...(kind !== undefined && { [names]: kind }),
  };
  return anyOf.flatMap(alternatives).map((each) => ({ ...shared, ...each }));
}

function below({ items, properties: members = {}, additionalProperties }: Schema, key: string | number): Schema[] {
  if (typeof key === 'number') return items === undefined ? [] : [items];
  if (Object.hasOwn(members, key)) return [members[key]!];
  return additionalProperties ? [additionalProperties] : [];
}

/** The description of the field at the cursor; undefined if there is none. */
export function scenarioHover(text: string, offset: number): string | undefined {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  const line = text.slice(lineStart).split('\n', 1)[0]!;
  const key = /^\s*(?:- *)*["']?(\w+)["']?\s*:/.exec(line)?.[1];
  const place = scenarioCursorAt(text, offset);
  if (place === undefined) return undefined;
  const word = text.slice(place.start, place.end);
  const own = place.isMember ? place.schemas.flatMap((schema) => below(schema, word)) : place.schemas;
  const about = own.flatMap(alternatives).find(({ description }) => description !== undefined)?.description;
  return about ?? (key === undefined ? undefined : schemasAt(place.keys.slice(0, -1), place.plan)[0]?.description);
}

/** The completions at the cursor: keys, words, and names from the game and from the scenario. */
export function scenarioCompletions(
  document: TextDocument,
  offset: number,
  gameOf: (path: string) => Definition | undefined,
): CompletionItem[] {
  const text = document.getText();
  const place = scenarioCursorAt(text, offset);
  if (place === undefined) return [];
  const { start, end, schemas, isMember, plan, keys } = place;
  const range = { start: document.positionAt(start), end: document.positionAt(end) };
  const item = (label: string, kind: CompletionItemKind, newText: string, about?: string): CompletionItem => ({
    label,
    kind,
    textEdit: { range, newText },
    ...defined({ documentation: about }),
  });
  const found = new Map<string, CompletionItem>();
  if (isMember) {
    const object = valueAt(plan, keys.slice(0, -1));
    const colon = /^["']?\s*:/.test(text.slice(end, end + 20)) ? '' : ': ';
    for (const { properties: members = {} } of schemas) {
      for (const [key, schema] of Object.entries(members)) {
        if (!Object.hasOwn(object as object, key))
          found.set(key, item(key, CompletionItemKind.Property, `${key}${colon}`, schema.description));
      }
    }
  }
  for (const schema of schemas) {
    for (const word of [...(schema.enum ?? []), ...(schema.type === 'boolean' ? ['true', 'false'] : [])])
      if (!isMember) found.set(word, item(word, CompletionItemKind.EnumMember, word));
    const kind = schema[names] as NameKind | undefined;
    if (kind === undefined) continue;
    for (const name of namesOf(kind, place, gameOf)) {
      // In an expression, a name is written as a plain word. As a value, it may need quotes.
      const isPlain = isMember || /^[\w@][\w@ .-]*$/.test(name);
      found.set(name, item(name, CompletionItemKind.Reference, isPlain ? name : JSON.stringify(name)));
    }
  }
  return [...found.values()];
}

/** The section of the definition that contains the names of a kind. */
const sections = {
  'unit type': 'unitTypes',
  'item type': 'itemTypes',
  'projectile type': 'projectileTypes',
  'player type': 'playerTypes',
  dialogue: 'dialogues',
  script: 'scripts',
} as const satisfies Partial<Record<NameKind, keyof Definition>>;

function namesOf(kind: NameKind, { plan, keys }: ScenarioCursor, gameOf: (path: string) => Definition | undefined) {
  const own = ownNames(plan, keys);
  const game = gameOf(gamePath(plan, keys) ?? '');
  const both = (things: Iterable<{ readonly key: string; readonly name?: string | undefined }>) =>
    [...things].flatMap(({ key, name }) => (name === undefined || name === '' || name === key ? [key] : [name, key]));
  if (kind === 'trigger' || kind === 'trigger or output')
    return [...triggerTypes, ...(kind === 'trigger' ? [] : outputKinds)];
  if (kind === 'output') return [...outputKinds];
  if (kind === 'key') return [...keyNames];
  if (game === undefined) return own;
  const members = () => {
    const { unitTypes, itemTypes, projectileTypes, playerTypes } = game;
    const types = [unitTypes, itemTypes, projectileTypes, playerTypes].flatMap((each) => [...each.values()]);
    return types.flatMap(({ attributes, variables }) => [...both(attributes.values()), ...variables.keys()]);
  };
  if (kind in sections) return both(game[sections[kind as keyof typeof sections]].values());
  switch (kind) {
    case 'members':
      return members();
    case 'paths':
      return [...game.variables.keys(), ...own];
    case 'expression':
      return [
        ...game.variables.keys(),
        ...own,
        ...members(),
        ...Object.keys(properties),
        ...both(game.unitTypes.values()),
      ];
    case 'player':
    case 'entity':
    case 'audience':
      return own;
    case 'place':
      return [...[...game.variables].filter(([, { dataType }]) => dataType === 'region').map(([name]) => name), ...own];
    default:
      return [];
  }
}

/** The objects with settings that apply at a path: the whole file, and the scenario that contains the path. */
function plansAt(plan: unknown, keys: Keys): Dictionary[] {
  const scenarios = isRecord(plan) ? plan['scenarios'] : undefined;
  const scenario: unknown =
    keys[0] === 'scenarios' && Array.isArray(scenarios) ? scenarios[Number(keys[1])] : undefined;
  return [plan, scenario].filter(isRecord);
}

/**
 * The path of the game that the scenario at `keys` uses, as written in the file. If there are several games, it is the
 * first one.
 */
function gamePath(plan: unknown, keys: Keys) {
  const games = plansAt(plan, keys).findLast(({ game }) => game !== undefined)?.['game'];
  return [games].flat().find((game): game is string => typeof game === 'string');
}

/** The names of players and entities that a scenario defines. */
function ownNames(plan: unknown, keys: Keys) {
  const named = (each: unknown): unknown => (isRecord(each) ? each['name'] : each);
  return plansAt(plan, keys).flatMap(({ given }) => {
    const { players, entities } = isRecord(given) ? given : {};
    return [players, entities]
      .flatMap((list): unknown[] => (Array.isArray(list) ? list.map(named) : []))
      .filter((name): name is string => typeof name === 'string' && !name.includes(placeholder));
  });
}

/**
 * The name under the cursor, which is a word of an expression or a whole value, and the path of the game's file.
 * Undefined if there is no name.
 */
export function scenarioReference(
  text: string,
  offset: number,
  file: string,
): { readonly word: string; readonly value: string | undefined; readonly game: string } | undefined {
  const place = scenarioCursorAt(text, offset);
  const path = place && gamePath(place.plan, place.keys);
  if (place === undefined || path === undefined) return undefined;
  const value = place.isMember ? undefined : valueAt(planOf(text), place.keys);
  return {
    word: text.slice(place.start, place.end),
    value: typeof value === 'string' ? value : undefined,
    game: resolve(dirname(file), path),
  };
}
