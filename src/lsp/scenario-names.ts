import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isScalar, parseDocument, type Scalar, visit } from 'yaml';
import { type Node, nameText, parseExpression, type Word } from '../expression/index.ts';
import { isScenarioFile, type NameKind, names } from '../scenario/index.ts';
import type { Kind } from './game-names.ts';
import type { Span } from './json-text.ts';
import { gamePaths, lengthMax, schemasAt } from './scenario-file.ts';

/** The use of a name of the game in a scenario file. */
export interface ScenarioUse extends Span {
  /** The whole scalar. */
  readonly scalar: Span;
  readonly value: string;
  /** Whether it is written without quotes. */
  readonly isPlain: boolean;
  /** The position of the name in the value. */
  readonly found: Found;
}

const members: readonly Kind[] = ['attribute', 'entityVariable', 'playerVariable'];
const kindsOf: { readonly [K in NameKind]?: readonly Kind[] } = {
  'unit type': ['unitType'],
  'item type': ['itemType'],
  'projectile type': ['projectileType'],
  'player type': ['playerType'],
  state: ['state'],
  dialogue: ['dialogue'],
  script: ['script'],
  place: ['variable'],
  members,
};
const typesOf = { units: 'unitType', items: 'itemType', projectiles: 'projectileType', players: 'playerType' } as const;

/** The scenario files in the folder of a game and in the folders in it. */
export function scenariosBeside(game: string): string[] {
  const folder = dirname(game);
  const folders = [folder];
  const files: string[] = [];
  for (const each of folders) {
    for (const entry of readdirSync(each, { withFileTypes: true })) {
      const path = join(each, entry.name);
      if (entry.isFile() && isScenarioFile(entry.name) && statSync(path).size <= lengthMax) files.push(path);
      else if (entry.isDirectory() && each === folder && !/^(?:\.|node_modules$)/.test(entry.name)) folders.push(path);
    }
  }
  return files;
}

export function readScenario(file: string): string {
  return readFileSync(file, 'utf8');
}

/**
 * Where a scenario file uses a name of a game. `hasMember`: whether a name is one of an attribute or a variable of a
 * type.
 */
export function scenarioUses(
  text: string,
  file: string,
  game: string,
  { kind, key }: { readonly kind: Kind; readonly key: string },
  hasMember: (name: string) => boolean,
): ScenarioUse[] {
  if (text.length > lengthMax || !text.includes(key)) return [];
  const document = parseDocument(text, { prettyErrors: false });
  if (document.errors.length > 0) return [];
  const plan: unknown = document.toJS({ maxAliasCount: 100 });
  const found: ScenarioUse[] = [];
  visit(document, {
    Scalar(position, node, path) {
      if (typeof node.value !== 'string' || !node.value.includes(key)) return;
      const keys: (string | number)[] = [];
      for (const [i, above] of path.entries()) {
        const below: unknown = path[i + 1] ?? node;
        if ('items' in above && Array.isArray(above.items)) {
          const index = above.items.indexOf(below as never);
          if (!('key' in (below as object))) keys.push(index);
        }
        if ('key' in above && isScalar(above.key)) keys.push(String(above.key.value));
      }
      if (!gamePaths(plan, keys).some((each) => resolve(dirname(file), each) === game)) return;
      const isKey = position === 'key';
      const schemas = schemasAt(isKey ? keys.slice(0, -1) : keys, plan);
      for (const schema of schemas) {
        const of = schema[names] as NameKind | undefined;
        // Kinds of name that apply to an object are those of its keys.
        if (of === undefined || isKey !== (of === 'members' || of === 'paths')) continue;
        const words = wordsOf(of, node.value, kind, key, hasMember);
        if (words.length === 0) continue;
        found.push(...words.map((word) => useOf(text, node, word)));
        break;
      }
    },
  });
  return found;
}

/** A name in a scalar. */
interface Found {
  readonly start: number;
  readonly end: number;
  /** Another name in the form that is needed at this position, quoted if necessary. */
  written(name: string): string;
}

function wordsOf(of: NameKind, value: string, kind: Kind, key: string, hasMember: (name: string) => boolean): Found[] {
  const isWhole = value === key && (kindsOf[of]?.includes(kind) || (of === 'paths' && kind === 'variable'));
  if (isWhole) return [{ start: 0, end: value.length, written: (name) => name }];
  if (of !== 'expression' && of !== 'paths') return [];
  let tree: Node;
  try {
    tree = parseExpression(value);
  } catch {
    return [];
  }
  return [...expressionWords(tree, false)].flatMap(({ word, kinds, isOfEach }) => {
    const fits = word.text === key && kinds.includes(kind) && !(isOfEach && kind === 'variable' && hasMember(key));
    if (!fits) return [];
    const start = word.offset;
    const quote = word.quoted ? /^[`"']/.exec(value.slice(start))?.[0] : '';
    const raw = quote === undefined ? '' : `${quote}${key}${quote}`;
    // Names written with escapes are not renamed.
    if (raw === '' || !value.startsWith(raw, start)) return [];
    const written = (name: string): string => (quote === '"' || quote === "'" ? JSON.stringify(name) : nameText(name));
    return [{ start, end: start + raw.length, written }];
  });
}

interface ExpressionWord {
  readonly word: Word;
  readonly kinds: readonly Kind[];
  /** Whether the word is first looked up among the members of each entity of a set. */
  readonly isOfEach: boolean;
}

/** Names in an expression, with the kinds of things that they can refer to. */
function* expressionWords(node: Node, isOfEach: boolean): Generator<ExpressionWord> {
  const plain = (word: Word, ...kinds: readonly Kind[]): ExpressionWord => ({ word, kinds, isOfEach: false });
  switch (node.kind) {
    case 'literal':
      return;
    case 'path':
      yield { word: node.head, kinds: isOfEach ? ['variable', ...members] : ['variable'], isOfEach };
      for (const word of node.members) yield plain(word, ...members);
      return;
    case 'set':
      if (node.type !== undefined) yield plain(node.type, typesOf[node.of]);
      if (node.region !== undefined) yield plain(node.region, 'variable');
      for (const path of [node.owner, node.holder]) if (path !== undefined) yield* expressionWords(path, false);
      if (node.where !== undefined) yield* expressionWords(node.where, true);
      return;
    case 'pick':
      yield* expressionWords(node.set, isOfEach);
      for (const word of node.members) yield plain(word, ...members);
      return;
    case 'total':
      yield* expressionWords(node.of, true);
      yield* expressionWords(node.set, isOfEach);
      return;
    case 'every':
      yield* expressionWords(node.set, isOfEach);
      yield* expressionWords(node.has, true);
      return;
    case 'posted':
      return;
    case 'count':
      if (node.of === 'runs') yield plain(node.name, 'script');
      return;
    case 'not':
    case 'minus':
      yield* expressionWords(node.of, isOfEach);
      return;
    case 'and':
    case 'or':
      for (const each of node.of) yield* expressionWords(each, isOfEach);
      return;
    default:
      yield* expressionWords(node.left, isOfEach);
      yield* expressionWords(node.right, isOfEach);
  }
}

function useOf(text: string, node: Scalar, found: Found): ScenarioUse {
  const { start, end } = found;
  const value = String(node.value);
  const [from, to] = node.range!;
  const raw = text.slice(from, to);
  const scalar = { start: from, end: to };
  const shift = raw === value ? 0 : raw.slice(1, -1) === value ? 1 : undefined;
  const span = shift === undefined ? scalar : { start: from + shift + start, end: from + shift + end };
  return { ...span, scalar, value, isPlain: raw === value, found };
}

/** The new texts of the scalars after a rename; a scalar can contain the name more than once. */
export function renamedIn(uses: readonly ScenarioUse[], newName: string): { scalar: Span; newText: string }[] {
  const edits = new Map<number, { scalar: Span; newText: string }>();
  for (const { scalar, value, isPlain } of uses) {
    const inside = uses
      .filter((use) => use.scalar.start === scalar.start)
      .sort((a, b) => b.found.start - a.found.start);
    let renamed = value;
    for (const { found } of inside)
      renamed = renamed.slice(0, found.start) + found.written(newName) + renamed.slice(found.end);
    const alone = parseDocument(renamed);
    const staysPlain = isPlain && !/[,[\]{}\n]/.test(renamed) && alone.errors.length === 0 && alone.toJS() === renamed;
    edits.set(scalar.start, { scalar, newText: staysPlain ? renamed : JSON.stringify(renamed) });
  }
  return [...edits.values()];
}
