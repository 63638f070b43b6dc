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

/** Finds the words that a game reacts to: its scripts must mention them. */
export function phrasesOf(definition: Definition): Phrases {
  const found = {
    talk: new Set(smallTalk),
    commands: new Set(commonCommands),
    answers: new Set<string>(),
    elements: new Set<string>(),
    names: new Set<string>(),
  };
  let answersAreNames = false;
  for (const { actions, conditions } of scriptsOf(definition).scripts) {
    for (const root of [actions, conditions]) {
      for (const node of everyNode(root)) {
        collect(node, found);
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
