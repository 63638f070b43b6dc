import { RandomStream } from '../../../engine/core/index.ts';
import type { DialectName, HostWords } from '../../../engine/index.ts';
import { type BotTraits, defaultTraits } from '../../bots/index.ts';

/** An expression that must be true at some tick within the first `seconds` of each play. */
export interface Deadline {
  readonly seconds: number;
  readonly expression: string;
}

export interface Objective {
  /** An expression whose value is a number. */
  readonly expression: string;
  readonly direction: 'minimize' | 'maximize';
}

/** The settings that all plays of an exploration share. Plain data, so that it can be sent to a worker thread. */
export interface ExplorePlan {
  /** The path of the definition. */
  readonly game: string;
  /** The operations and triggers that the host of the game adds. */
  readonly host?: HostWords | undefined;
  readonly dialect: DialectName;
  readonly seed: string;
  /** The range of the number of players. */
  readonly players: readonly [least: number, most: number];
  /** Expressions that must not be true at any tick. */
  readonly never: readonly string[];
  /** Expressions that must be true at every tick. Ticks at which one of their values does not exist are ignored. */
  readonly always: readonly string[];
  readonly within: readonly Deadline[];
  /** Expressions that must be able to become true within the given number of seconds after each play ends. */
  readonly reachable: readonly Deadline[];
  /** An expression that a play should make true. */
  readonly goal?: string | undefined;
  /** A value to make as small or as large as possible. If there is a goal, it must be met, too. */
  readonly objective?: Objective | undefined;
  /** The maximum length of a play, in simulated seconds. */
  readonly secondsMax?: number | undefined;
  /** The maximum number of script actions in one tick; undefined if only the engine's limit applies. */
  readonly actionsMax?: number | undefined;
}

/** One play of an exploration, determined by the seed and its index. */
export interface Episode {
  readonly index: number;
  /** The seed of the simulation and of its bots. */
  readonly seed: string;
  readonly ticks: number;
  readonly players: number;
  readonly traits: readonly BotTraits[];
  /** Whether bots type more of the words that scripts look for, join as guests, and walk by trial. */
  readonly isCurious: boolean;
  /** Whether the bots try to gain money again and again. */
  readonly isAimed: boolean;
}

const secondsMin = 15;
const secondsMax = 600;
const aimedSecondsMin = 180;
/** Each trait of a bot is multiplied by a factor between 1 / traitSpread and traitSpread. */
const traitSpread = 3;

/** The first play has this length, with ordinary bots, because it finds common mistakes soonest. */
const plainSeconds = 300;
const plainPlayers = 8;
/**
 * In the second play, bots stand still, so that things happen that players usually prevent, such as time running out.
 */
const idlePlayers = 4;
const idleTraits: BotTraits = { ...defaultTraits, stay: 5, isIdle: true };

/**
 * The episode with this index. Short plays try many beginnings and long ones reach what comes late, so the logarithm of
 * the length is uniformly distributed.
 */
export function episodeOf(plan: ExplorePlan, rate: number, index: number): Episode {
  const { seed } = plan;
  const [least, most] = plan.players;
  if (index < 2 && !isSearch(plan)) {
    const [wanted, traits] = index === 0 ? [plainPlayers, defaultTraits] : [idlePlayers, idleTraits];
    const players = Math.min(Math.max(wanted, least), most);
    return {
      index,
      seed: `${seed}/${index}`,
      ticks: Math.round(plainSeconds * rate),
      players,
      traits: Array.from({ length: players }, () => traits),
      isCurious: index > 0,
      isAimed: false,
    };
  }
  const random = new RandomStream(`${seed}/explore/${index}`);
  const drawn = Math.exp(random.between(Math.log(secondsMin), Math.log(secondsMax)));
  // Aimed plays are longer, because saving money and reaching places takes time.
  const isAimed = index % 2 === 1;
  const seconds = isAimed ? Math.max(aimedSecondsMin, drawn) : drawn;
  const players = Math.floor(Math.exp(random.between(Math.log(least), Math.log(most + 1))));
  const factor = () => traitSpread ** random.between(-1, 1);
  return {
    index,
    seed: `${seed}/${index}`,
    ticks: Math.max(1, Math.round(seconds * rate)),
    players,
    traits: Array.from({ length: players }, () => ({ stay: factor(), talk: factor(), act: factor() })),
    isCurious: true,
    isAimed,
  };
}

/** The episodes from index `first` on that use up a budget of ticks; the last one is cut short. */
export function episodesFor(plan: ExplorePlan, rate: number, first: number, ticks: number): Episode[] {
  const episodes: Episode[] = [];
  for (let left = ticks; left > 0; ) {
    const episode = episodeOf(plan, rate, first + episodes.length);
    episodes.push({ ...episode, ticks: Math.min(episode.ticks, left) });
    left -= episode.ticks;
  }
  return episodes;
}

/** Whether plays search for a goal or an objective, rather than for mistakes. */
export function isSearch({ goal, objective }: ExplorePlan): boolean {
  return goal !== undefined || objective !== undefined;
}

/** A goal that also requires the objective to be at least as good as a value. */
export function goalWith({ goal, objective }: ExplorePlan, value: number): string {
  const bound = `${objective!.expression} ${objective!.direction === 'minimize' ? '<=' : '>='} ${value}`;
  return goal === undefined ? bound : `(${goal}) and ${bound}`;
}
