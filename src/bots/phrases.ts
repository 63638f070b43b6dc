import type { RandomStream } from '../../engine/core/index.ts';
import {
  type Call,
  type Condition,
  type Definition,
  everyNode,
  literalText,
  type Node,
  type Operand,
} from '../../engine/index.ts';
import { scriptsOf, vocabulary } from '../../engine/tools.ts';
import { changesOf, variableReadBy, variablesWrittenBy } from '../model/index.ts';

const smallTalk = [
  'hi',
  'hello all',
  'gg',
  'lol',
  'where is everyone?',
  'follow me',
  'nice one',
  'what now?',
  'brb',
  'team up',
];
const commonCommands = ['/help', '/stats', '/kill', '/reset'];
const commandPattern = /^\/[a-zA-Z][\w ]{0,30}$/;
const wordsMax = 200;
const wordLengthMax = 60;
const listWordLengthMax = 20;

/**
 * The words that the scripts of a game react to. Bots say them, type them, click elements of that id, or use them as
 * names.
 */
export interface Phrases {
  readonly talk: readonly string[];
  /** Chat commands (starting with a slash): common ones, then those that the scripts mention. */
  readonly commands: readonly string[];
  /** Strings with which scripts compare the answer of an input box. */
  readonly answers: readonly string[];
  /** Whether scripts use the answer of an input box as a name rather than comparing it. */
  readonly answersAreNames: boolean;
  /** Ids with which scripts compare the last clicked element. */
  readonly elements: readonly string[];
  /** Player names that scripts treat specially. */
  readonly names: readonly string[];
}

/**
 * The kind of phrases with which scripts compare the result of this function, if the function reads a name or an input
 * of a player; otherwise undefined. Bots say the strings on the other side of such comparisons.
 */
function questionOf({ rule }: Call): Words | undefined {
  if (rule?.returns !== 'string') return undefined;
  for (const { aspect, of = '', kind } of rule.reads) {
    if (aspect === 'chat') return 'talk';
    if (aspect === 'answers') return kind === 'clicked' ? 'elements' : 'answers';
    if (aspect === 'account' || (aspect === 'name' && rule.params[of]?.name.endsWith('player') === true))
      return 'names';
  }
  return undefined;
}

/**
 * Finds the words that a game reacts to, as far as its scripts mention them. If `isThorough`, three more kinds: words
 * in a string variable that is a list which scripts search, such as `,ada,ben,`; words that a string must contain
 * together; and words that scripts compare with a variable that contains what a player typed.
 */
export function phrasesOf(definition: Definition, isThorough = false): Phrases {
  const found = noneFound(smallTalk, commonCommands);
  const hints = isThorough ? hintsOf(definition) : undefined;
  let answersAreNames = false;
  for (const { actions, conditions } of scriptsOf(definition).scripts) {
    for (const root of [actions, conditions]) {
      for (const node of everyNode(root)) {
        collect(node, found, hints);
        answersAreNames ||= namesByAnswer(node);
      }
    }
  }
  return { ...listed(found), answersAreNames: answersAreNames && found.answers.size === 0 };
}

/** The words that some conditions react to. */
export function phrasesIn(definition: Definition, conditions: Iterable<Node>): Record<Words, readonly string[]> {
  const found = noneFound();
  const hints = hintsOf(definition);
  for (const condition of conditions) for (const node of everyNode(condition)) collect(node, found, hints);
  return listed(found);
}

/**
 * Completes a text that a bot types. A text that ends with a space is the beginning of a command, so it gets an
 * operand; a text that starts with a slash may get one.
 */
export function completed(text: string, random: RandomStream): string {
  const hasOperand = (text.startsWith('/') && random.chance(0.5)) || text.endsWith(' ');
  return hasOperand ? `${text.trimEnd()} ${argument(random)}` : text;
}

/** An operand of a chat command: a number or the id of a bot. */
function argument(random: RandomStream): string {
  return random.chance(0.5) ? String(random.integer(1, 20)) : `bot${random.integer(1, 9)}`;
}

type Words = Exclude<keyof Phrases, 'answersAreNames'>;
type Found = Readonly<Record<Words, Set<string>>>;

function noneFound(talk: readonly string[] = [], commands: readonly string[] = []): Found {
  const [answers, elements, names] = [new Set<string>(), new Set<string>(), new Set<string>()];
  return { talk: new Set(talk), commands: new Set(commands), answers, elements, names };
}

function listed({ talk, commands, answers, elements, names }: Found): Record<Words, readonly string[]> {
  return {
    talk: [...talk],
    commands: [...commands],
    answers: [...answers],
    elements: [...elements],
    names: [...names],
  };
}

/** Facts about variables. */
interface Hints {
  /** The words in string variables that are lists. */
  readonly lists: ReadonlyMap<string, readonly string[]>;
  /** The kind of words in each variable that is set to something that a player typed. */
  readonly typed: ReadonlyMap<string, Words>;
}

function hintsOf(definition: Definition): Hints {
  const typed = new Map<string, Words>();
  for (const { actions } of scriptsOf(definition).scripts) {
    for (const node of everyNode(actions)) {
      if (node.kind !== 'action' || node.blocks.length > 0) continue;
      const asked = node.operands.map((operand) => questionIn(operand)).find((each) => each !== undefined);
      if (asked === undefined) continue;
      for (const variable of variablesWrittenBy(node))
        if (variable !== undefined && !typed.has(variable)) typed.set(variable, asked);
    }
  }
  return { lists: listsOf(definition), typed };
}

/** Whether an action gives a player or a unit the answer of an input box as its name. */
function namesByAnswer(node: Node): boolean {
  if (node.kind !== 'action') return false;
  return changesOf(node, 'name').some(
    ({ to }) =>
      to !== undefined &&
      [...everyNode(node.operand(to))].some((each) => each.kind === 'call' && questionOf(each) === 'answers'),
  );
}

function collect(node: Node, found: Found, hints?: Hints): void {
  if (hints !== undefined) collectFromLists(node, hints, found);
  switch (node.kind) {
    case 'literal': {
      const { json } = node;
      if (typeof json === 'string' && json.startsWith('/') && commandPattern.test(json))
        add(found.commands, json.trim());
      return;
    }
    case 'condition':
      if (node.isList && !node.isJunction) compare(node.sides, found, hints);
      else if (hints !== undefined && node.operator === 'AND') collectTogether(node, found, hints);
      return;
    case 'call':
      // Plain bots ignore this function: with it, their talk and thus all existing recordings of games that use it
      // would change.
      if (isTextTest(node) && (hints !== undefined || node.operation !== 'subString'))
        compare(node.children(), found, hints);
  }
}

/** The items of string variables whose default is a delimited list (`ada,ben,carl`), by the key of the variable. */
function listsOf({ variables }: Definition): ReadonlyMap<string, readonly string[]> {
  const lists = new Map<string, readonly string[]>();
  for (const { key, dataType, default: initial } of variables.values()) {
    if (dataType !== 'string' || typeof initial !== 'string') continue;
    const words = initial.split(/[,;|\n]/).map((word) => word.trim());
    const isList = words.length > 2 && words.every((word) => word.length <= listWordLengthMax);
    if (isList) lists.set(key, words.filter(Boolean));
  }
  return lists;
}

/**
 * Collects the words of a list in which a string is searched. The string is most often a name, but may be anything that
 * players type.
 */
function collectFromLists(node: Node, { lists, typed }: Hints, found: Found): void {
  if (node.kind !== 'call') return;
  if (!isTextTest(node)) return;
  for (const operand of node.children()) {
    const words = lists.get(variableReadBy(operand) ?? '');
    if (words === undefined) continue;
    const asked =
      node
        .children()
        .map((each) => questionIn(each, typed))
        .find((each) => each !== undefined) ?? 'names';
    for (const word of words) add(found[asked], word);
  }
}

/** Collects the words of both sides of an AND, joined: a string that contains both makes both sides true. */
function collectTogether({ conditions }: Condition, found: Found, hints: Hints): void {
  const [left, right] = conditions.map((side) => {
    const words = noneFound();
    for (const node of everyNode(side)) collect(node, words, hints);
    return words;
  });
  for (const kind of ['talk', 'answers'] as const) {
    const [one] = left![kind];
    const [other] = right![kind];
    if (one !== undefined && other !== undefined) add(found[kind], `${one} ${other}`);
  }
}

/** Whether a function searches for a string in another string. */
function isTextTest({ rule }: Call): boolean {
  const kinds = Object.values(rule?.params ?? {}).map(({ name }) => name);
  return rule?.returns === 'boolean' && kinds.length === 2 && kinds.every((name) => name === 'string');
}

/** Collects strings that are compared with the name or an input of a player, by a comparison or a search. */
function compare(operands: readonly Operand[], found: Found, hints: Hints | undefined): void {
  for (const operand of operands) {
    const asked = questionIn(operand, hints?.typed);
    if (asked === undefined) continue;
    for (const other of operands) {
      const text = hints === undefined ? literalText(other) : textOf(other);
      if (text === undefined || text.trim() === '' || vocabulary.values.has(text)) continue;
      // Thorough bots keep the space that ends the beginning of a command.
      const word = hints !== undefined && text.endsWith(' ') ? `${text.trim()} ` : text.trim();
      add(listFor(text, asked, found), word);
    }
  }
}

/**
 * The kind of words that an operand evaluates to, also through functions such as lower-casing and trimming; undefined
 * if it does not read a name or input of a player.
 */
function questionIn(operand: Operand, typed?: Hints['typed']): Words | undefined {
  let at = operand;
  for (let depth = 0; depth < 3 && at.kind === 'call'; depth++) {
    const asked = questionOf(at) ?? typed?.get(variableReadBy(at) ?? '');
    if (asked !== undefined) return asked;
    const string = at.member('string');
    at = string.kind === 'nothing' ? at.member('value') : string;
  }
  return undefined;
}

/** The value of a string literal, also through functions that change its case. */
function textOf(node: Operand): string | undefined {
  if (node.kind !== 'call') return literalText(node);
  const { letters } = node.rule ?? {};
  if (letters === undefined) return undefined;
  const text = literalText(node.member('string'));
  return letters === 'lower' ? text?.toLowerCase() : text?.toUpperCase();
}

/**
 * The list for a word. Only words for the chat count as commands: an input box that asks for a command gets it as an
 * answer.
 */
function listFor(text: string, asked: Words, found: Found): Set<string> {
  return text.startsWith('/') && asked === 'talk' ? found.commands : found[asked];
}

function add(words: Set<string>, word: string): void {
  if (words.size < wordsMax && word.length <= wordLengthMax) words.add(word);
}
