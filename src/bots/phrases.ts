import { type Definition, everyNode, literalText, type Node, type Operand } from '../../engine/index.ts';
import { scriptsOf } from '../../engine/internal.ts';

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

/** The words that the scripts of a game react to, so that bots say, type, click or use them as names. */
export interface Phrases {
  readonly talk: readonly string[];
  /** Chat commands (starting with a slash): common ones, then those that the scripts mention. */
  readonly commands: readonly string[];
  /** Texts that scripts compare the answer of an input box with. */
  readonly answers: readonly string[];
  /** Whether scripts use the answer of an input box as a name rather than comparing it. */
  readonly answersAreNames: boolean;
  /** Ids that scripts compare the last clicked element with. */
  readonly elements: readonly string[];
  /** Player names that scripts treat specially. */
  readonly names: readonly string[];
}

/** Functions that read the name or an input of a player, and the list for the words they are compared with. */
const questions: Readonly<Record<string, 'talk' | 'answers' | 'elements' | 'names'>> = {
  getLastChatMessageSentByPlayer: 'talk',
  lastPlayerMessage: 'talk',
  playerCustomInput: 'answers',
  lastClickedUiElementId: 'elements',
  getPlayerName: 'names',
  getPlayerUsername: 'names',
  entityName: 'names',
};

/** Actions that give a player or a unit a name. */
const namers: ReadonlySet<string> = new Set(['setPlayerName', 'setUnitNameLabel']);

/**
 * Finds the words that a game reacts to: its scripts must mention them. With `readsLists`, also the words that a text
 * variable lists and scripts search, such as `,ada,ben,`.
 */
export function phrasesOf(definition: Definition, readsLists = false): Phrases {
  const found = {
    talk: new Set(smallTalk),
    commands: new Set(commonCommands),
    answers: new Set<string>(),
    elements: new Set<string>(),
    names: new Set<string>(),
  };
  const lists = readsLists ? listsOf(definition) : undefined;
  let answersAreNames = false;
  for (const { actions, conditions } of scriptsOf(definition).scripts) {
    for (const root of [actions, conditions]) {
      for (const node of everyNode(root)) {
        collect(node, found);
        if (lists !== undefined) collectFromLists(node, lists, found);
        answersAreNames ||= namesByAnswer(node);
      }
    }
  }
  return {
    talk: [...found.talk],
    commands: [...found.commands],
    answers: [...found.answers],
    answersAreNames: answersAreNames && found.answers.size === 0,
    elements: [...found.elements],
    names: [...found.names],
  };
}

type Words = Exclude<keyof Phrases, 'answersAreNames'>;
type Found = Readonly<Record<Words, Set<string>>>;

function namesByAnswer(node: Node): boolean {
  if (node.kind !== 'action' || !namers.has(node.operation)) return false;
  return [...everyNode(node.member('name'))].some(
    (each) => each.kind === 'call' && each.operation === 'playerCustomInput',
  );
}

function collect(node: Node, found: Found): void {
  switch (node.kind) {
    case 'literal': {
      const { json } = node;
      if (typeof json === 'string' && json.startsWith('/') && commandPattern.test(json))
        add(found.commands, json.trim());
      return;
    }
    case 'condition':
      if (node.isList && !node.isJunction) compare(node.sides, found);
      return;
    case 'call':
      if (textTests.has(node.operation)) compare(node.children(), found);
  }
}

/** The words of text variables that hold a list, by the name of the variable. */
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

/** A search for a text in a list: what is searched for is most often a name, and may be anything that players type. */
function collectFromLists(node: Node, lists: ReadonlyMap<string, readonly string[]>, found: Found): void {
  if (node.kind !== 'call') return;
  if (node.operation === 'subString') {
    const pattern = literalText(node.member('patternString'))?.trim();
    const asked = questionIn(node.member('sourceString'));
    if (pattern && asked !== undefined) add(found[pattern.startsWith('/') ? 'commands' : asked], pattern);
  } else if (!textTests.has(node.operation)) return;
  for (const operand of node.children()) {
    if (operand.kind !== 'call' || !operand.calls('getVariable', 'getGlobalVariable')) continue;
    const words = lists.get(literalText(operand.operand('variableName')) ?? '');
    if (words === undefined) continue;
    const asked =
      node
        .children()
        .map(questionIn)
        .find((each) => each !== undefined) ?? 'names';
    for (const word of words) add(found[asked], word);
  }
}

/** Functions that search for a text in another. */
const textTests: ReadonlySet<string> = new Set([
  'stringStartsWith',
  'stringContains',
  'stringEndsWith',
  'stringIsEqual',
]);

/** Collects texts that are compared with a function in `questions`, by a comparison or a text test. */
function compare(operands: readonly Operand[], found: Found): void {
  for (const operand of operands) {
    const asked = questionIn(operand);
    if (asked === undefined) continue;
    for (const other of operands) {
      const text = literalText(other);
      if (text === undefined || text.trim() === '' || Object.hasOwn(questions, text)) continue;
      add(text.startsWith('/') && asked === 'talk' ? found.commands : found[asked], text.trim());
    }
  }
}

/** The list for a function in `questions`, also if its result is lower-cased or trimmed; undefined for other operands. */
function questionIn(operand: Operand): Words | undefined {
  let at = operand;
  for (let depth = 0; depth < 3 && at.kind === 'call'; depth++) {
    const asked = Object.hasOwn(questions, at.operation) ? questions[at.operation] : undefined;
    if (asked !== undefined) return asked;
    const string = at.member('string');
    at = string.kind === 'nothing' ? at.member('value') : string;
  }
  return undefined;
}

function add(words: Set<string>, word: string): void {
  if (words.size < wordsMax && word.length <= wordLengthMax) words.add(word);
}
