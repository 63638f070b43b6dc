import type { RandomStream } from '../../engine/core/index.ts';
import { type Call, type Definition, everyNode, literalText, type Node, type Operand } from '../../engine/index.ts';
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

/**
 * The words that the scripts of a game react to. Bots write them in the chat and in input boxes, use them as names, and
 * click elements with these ids.
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
 * If a function reads a name or an input of a player: the kind of phrases that its result can be; otherwise undefined.
 * A string that scripts compare with the result becomes a phrase of this kind.
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
 * Finds the words that a game reacts to, as far as its scripts mention them. If `isThorough`, also words that scripts
 * compare with a variable that contains what a player typed, and beginnings of commands.
 */
export function phrasesOf(definition: Definition, isThorough = false): Phrases {
  const found = noneFound(isThorough ? smallTalk.slice(0, 1) : smallTalk, commonCommands);
  const typed = isThorough ? typedIn(definition) : undefined;
  let answersAreNames = false;
  for (const { actions, conditions } of scriptsOf(definition).scripts) {
    for (const root of [actions, conditions]) {
      for (const node of everyNode(root)) {
        collect(node, found, typed);
        answersAreNames ||= namesByAnswer(node);
      }
    }
  }
  return { ...listed(found), answersAreNames: answersAreNames && found.answers.size === 0 };
}

/** The words that the given conditions compare with names and inputs of players. */
export function phrasesIn(definition: Definition, conditions: Iterable<Node>): Record<Words, readonly string[]> {
  const found = noneFound();
  const typed = typedIn(definition);
  for (const condition of conditions) for (const node of everyNode(condition)) collect(node, found, typed);
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
function argument(random: RandomStream) {
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

/** The kind of words in each variable that scripts set to something that a player typed. */
type Typed = ReadonlyMap<string, Words>;

function typedIn(definition: Definition): Typed {
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
  return typed;
}

/** Whether an action gives a player or a unit the answer of an input box as its name. */
function namesByAnswer(node: Node) {
  if (node.kind !== 'action') return false;
  return changesOf(node, 'name').some(
    ({ to }) =>
      to !== undefined &&
      [...everyNode(node.operand(to))].some((each) => each.kind === 'call' && questionOf(each) === 'answers'),
  );
}

function collect(node: Node, found: Found, typed?: Typed) {
  switch (node.kind) {
    case 'literal': {
      const { json } = node;
      if (typeof json === 'string' && json.startsWith('/') && commandPattern.test(json))
        add(found.commands, json.trim());
      return;
    }
    case 'condition':
      if (node.isList && !node.isJunction) compare(node.sides, found, typed);
      return;
    case 'call':
      // Bots that are not thorough ignore `subString`: otherwise, what they write in the chat, and so the results of
      // existing seeds, would change.
      if (isTextTest(node) && (typed !== undefined || node.operation !== 'subString'))
        compare(node.children(), found, typed);
  }
}

/** Whether a function takes two strings and returns a boolean, like those that search for a string in another one. */
function isTextTest({ rule }: Call) {
  const kinds = Object.values(rule?.params ?? {}).map(({ name }) => name);
  return rule?.returns === 'boolean' && kinds.length === 2 && kinds.every((name) => name === 'string');
}

/** Collects strings that are compared with the name or an input of a player, by a comparison or a search. */
function compare(operands: readonly Operand[], found: Found, typed: Typed | undefined) {
  for (const operand of operands) {
    const asked = questionIn(operand, typed);
    if (asked === undefined) continue;
    for (const other of operands) {
      const text = typed === undefined ? literalText(other) : textOf(other);
      if (text === undefined || text.trim() === '' || vocabulary.values.has(text)) continue;
      // With `typed`, a space at the end is kept: the text is then the beginning of a command, which needs an operand.
      const word = typed !== undefined && text.endsWith(' ') ? `${text.trim()} ` : text.trim();
      add(listFor(text, asked, found), word);
    }
  }
}

/**
 * The kind of words that an operand evaluates to; undefined if it does not read a name or an input of a player.
 * Functions around it, such as those that trim a string, are ignored.
 */
function questionIn(operand: Operand, typed?: Typed): Words | undefined {
  let at = operand;
  for (let depth = 0; depth < 3 && at.kind === 'call'; depth++) {
    const asked = questionOf(at) ?? typed?.get(variableReadBy(at) ?? '');
    if (asked !== undefined) return asked;
    const string = at.member('string');
    at = string.kind === 'nothing' ? at.member('value') : string;
  }
  return undefined;
}

/** The value of a string literal, also through functions that change its case; undefined for any other operand. */
function textOf(node: Operand) {
  if (node.kind !== 'call') return literalText(node);
  const { letters } = node.rule ?? {};
  if (letters === undefined) return undefined;
  const text = literalText(node.member('string'));
  return letters === 'lower' ? text?.toLowerCase() : text?.toUpperCase();
}

/**
 * The list to which a word is added. A word with a slash is a command only if scripts compare it with chat messages.
 */
function listFor(text: string, asked: Words, found: Found): Set<string> {
  return text.startsWith('/') && asked === 'talk' ? found.commands : found[asked];
}

function add(words: Set<string>, word: string) {
  if (words.size < wordsMax && word.length <= wordLengthMax) words.add(word);
}
