import type { RandomStream } from '../../engine/core/index.ts';
import type { Phrases } from './phrases.ts';

/** The probability with which a bot chooses something that it looks for. */
const zeal = 0.5;

/** Things that bots look for while they play. */
export interface Interests {
  /** The keys of types and the names of regions that bots look for. */
  readonly wanted: ReadonlySet<string>;
  /** The keys and mouse buttons that bots look for. */
  readonly keys: ReadonlySet<string>;
  readonly phrases: Pick<Phrases, 'talk' | 'commands' | 'answers' | 'elements' | 'names'>;
}

const noInterests: Interests = {
  wanted: new Set(),
  keys: new Set(),
  phrases: { talk: [], commands: [], answers: [], elements: [], names: [] },
};

/** How the bots of a game choose. */
export class Habits {
  constructor(
    readonly isCurious: boolean,
    readonly interests: Interests = noInterests,
  ) {}

  /**
   * Decides whether a bot looks for something in particular now. Draws a random number only if there is anything to
   * look for.
   */
  isZealous(random: RandomStream): boolean {
    return this.interests.wanted.size > 0 && random.chance(zeal);
  }

  isWanted(key: string): boolean {
    return this.interests.wanted.has(key);
  }

  /**
   * Chooses from things that bots look for. Undefined if there are none; also with the probability 1 - `zeal`. Draws
   * random numbers only if there are any.
   */
  sought(random: RandomStream, choices: readonly string[]): string | undefined {
    return choices.length > 0 && random.chance(zeal) ? random.pick(choices) : undefined;
  }
}
