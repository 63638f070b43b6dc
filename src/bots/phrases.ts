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
const commandsMax = 200;

/** What is said in chat. */
export interface Phrases {
  readonly talk: readonly string[];
  /** They begin with a slash: ones that players try anywhere, then the ones that the game's scripts mention. */
  readonly commands: readonly string[];
}

/** Games answer to commands of their own, and their scripts have to mention what they answer to. */
export function phrasesOf(definition: Definition): Phrases {
  const commands = new Set(commonCommands);
  for (const { scripts } of [definition, ...typesWithScripts(definition)]) {
    for (const { actions, conditions } of scripts.values()) {
      collectCommands(actions, commands);
      collectCommands(conditions, commands);
    }
  }
  return { talk: smallTalk, commands: [...commands] };
}

function* typesWithScripts({ unitTypes, itemTypes, projectileTypes }: Definition) {
  yield* unitTypes.values();
  yield* itemTypes.values();
  yield* projectileTypes.values();
}

/** Without recursion, because scripts may nest as deep as documents may. */
function collectCommands(json: unknown, commands: Set<string>): void {
  const waiting: unknown[] = [json];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value === 'string') {
      if (value.startsWith('/') && commandPattern.test(value) && commands.size < commandsMax)
        commands.add(value.trim());
    } else if (typeof value === 'object' && value !== null) {
      for (const member of Object.values(value)) waiting.push(member);
    }
  }
}
