import type { Definition } from '../../engine/index.ts';

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

/** What a game asks its players for, and so what is worth saying, typing, clicking or being called. */
export interface Phrases {
  readonly talk: readonly string[];
  /** They begin with a slash: ones that players try anywhere, then the ones that the game's scripts mention. */
  readonly commands: readonly string[];
  /** What scripts compare an input box's answer with. */
  readonly answers: readonly string[];
  /** What scripts compare the last clicked element with. */
  readonly elements: readonly string[];
  /** Names that scripts have something special for. */
  readonly names: readonly string[];
}

/** What is compared with what: functions of the language by which scripts ask who somebody is or what somebody sent. */
const questions: Readonly<Record<string, 'talk' | 'answers' | 'elements' | 'names'>> = {
  getLastChatMessageSentByPlayer: 'talk',
  lastPlayerMessage: 'talk',
  playerCustomInput: 'answers',
  lastClickedUiElementId: 'elements',
  getPlayerName: 'names',
  getPlayerUsername: 'names',
  entityName: 'names',
};

/** Games answer to words of their own, and their scripts have to mention what they answer to. */
export function phrasesOf(definition: Definition): Phrases {
  const found = {
    talk: new Set(smallTalk),
    commands: new Set(commonCommands),
    answers: new Set<string>(),
    elements: new Set<string>(),
    names: new Set<string>(),
  };
  for (const { scripts } of [definition, ...typesWithScripts(definition)]) {
    for (const { actions, conditions } of scripts.values()) {
      collect(actions, found);
      collect(conditions, found);
    }
  }
  return {
    talk: [...found.talk],
    commands: [...found.commands],
    answers: [...found.answers],
    elements: [...found.elements],
    names: [...found.names],
  };
}

function* typesWithScripts({ unitTypes, itemTypes, projectileTypes }: Definition) {
  yield* unitTypes.values();
  yield* itemTypes.values();
  yield* projectileTypes.values();
}

type Found = Readonly<Record<keyof Phrases, Set<string>>>;

/** Without recursion, because scripts may nest as deep as documents may. */
function collect(json: unknown, found: Found): void {
  const waiting: unknown[] = [json];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value === 'string') {
      if (value.startsWith('/') && commandPattern.test(value)) add(found.commands, value.trim());
    } else if (typeof value === 'object' && value !== null) {
      if (Array.isArray(value)) {
        if (isComparison(value)) compare(value.slice(1), found);
      } else if (textTests.has((value as { function?: unknown }).function)) {
        compare(
          Object.entries(value).flatMap(([key, member]) => (key === 'function' ? [] : [member])),
          found,
        );
      }
      for (const member of Object.values(value)) waiting.push(member);
    }
  }
}

/** Functions that look for one text in another. */
const textTests: ReadonlySet<unknown> = new Set([
  'stringStartsWith',
  'stringContains',
  'stringEndsWith',
  'stringIsEqual',
]);

function isComparison(list: readonly unknown[]): boolean {
  const [head] = list;
  return list.length === 3 && typeof head === 'object' && head !== null && Object.hasOwn(head, 'operator');
}

/** Texts beside a question are answers to it: in a comparison, and among the operands of a test of texts. */
function compare(members: readonly unknown[], found: Found): void {
  for (const member of members) {
    const asked = questionIn(member);
    if (asked === undefined) continue;
    for (const text of members) {
      if (typeof text !== 'string' || text.trim() === '' || Object.hasOwn(questions, text)) continue;
      add(text.startsWith('/') && asked === 'talk' ? found.commands : found[asked], text.trim());
    }
  }
}

/** A question, perhaps in small letters or trimmed. */
function questionIn(node: unknown): keyof Phrases | undefined {
  let at = node;
  for (let depth = 0; depth < 3; depth++) {
    if (typeof at !== 'object' || at === null || Array.isArray(at)) return undefined;
    const { function: name, string, value } = at as { function?: unknown; string?: unknown; value?: unknown };
    if (typeof name !== 'string') return undefined;
    if (Object.hasOwn(questions, name)) return questions[name];
    at = string ?? value;
  }
  return undefined;
}

function add(words: Set<string>, word: string): void {
  if (words.size < wordsMax && word.length <= wordLengthMax) words.add(word);
}
