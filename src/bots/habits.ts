import type { RandomStream } from '../../engine/core/index.ts';
import type { Phrases } from './phrases.ts';

/** The probability with which a curious bot chooses from the things that were chosen least often. */
const curiosity = 0.7;
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

/**
 * The choices that the bots of a game have made so far. Curious bots prefer what no bot has tried yet; the other bots
 * choose at random.
 */
export class Habits {
  private readonly counts = new Map<string, number>();

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
  sought(random: RandomStream, kind: string, choices: readonly string[]): string | undefined {
    return choices.length > 0 && random.chance(zeal) ? this.pick(random, `sought ${kind}`, choices) : undefined;
  }

  /** Chooses from a list; `kind` keeps choices of different kinds apart. Undefined if the list is empty. */
  pick(random: RandomStream, kind: string, choices: readonly string[]): string | undefined {
    if (!this.isCurious) return random.pick(choices);
    const chosen = random.chance(curiosity) ? random.pick(this.rarest(kind, choices)) : random.pick(choices);
    if (chosen !== undefined) this.note(kind, chosen);
    return chosen;
  }

  note(kind: string, choice: string): void {
    const key = `${kind} ${choice}`;
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
  }

  count(kind: string, choice: string): number {
    return this.counts.get(`${kind} ${choice}`) ?? 0;
  }

  private rarest(kind: string, choices: readonly string[]) {
    let least = Number.POSITIVE_INFINITY;
    let rarest: string[] = [];
    for (const choice of choices) {
      const count = this.count(kind, choice);
      if (count > least) continue;
      if (count < least) rarest = [];
      least = count;
      rarest.push(choice);
    }
    return rarest;
  }
}
