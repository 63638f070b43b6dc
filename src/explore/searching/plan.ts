import { RandomStream } from '../../../engine/core/index.ts';
import type { DialectName, HostWords } from '../../../engine/index.ts';
import { type BotTraits, defaultTraits } from '../../bots/index.ts';

/** An expression that must hold at some tick within the first `seconds` of each play. */
export interface Deadline {
  readonly seconds: number;
  readonly expression: string;
}

export interface Objective {
  /** Its value is a number. */
  readonly expression: string;
  readonly direction: 'minimize' | 'maximize';
}

/** The settings that all plays of an exploration share. Plain data, so that it can be sent to a worker thread. */
export interface ExplorePlan {
  /** Path of the definition. */
  readonly game: string;
  /** The words of its host. */
  readonly host?: HostWords | undefined;
  readonly dialect: DialectName;
  readonly seed: string;
  /** The range of the number of players. */
  readonly players: readonly [least: number, most: number];
  /** Expressions that must not hold at any tick. */
  readonly never: readonly string[];
  /** Expressions that must hold at every tick; ticks at which a value of one does not exist are ignored. */
  readonly always: readonly string[];
  readonly within: readonly Deadline[];
  /** Expressions that must be reachable in so many seconds from wherever a play ends. */
  readonly reachable: readonly Deadline[];
  /** An expression to reach. */
  readonly goal?: string | undefined;
  /** What to make as small or large as possible, while the goal holds if there is one. */
  readonly objective?: Objective | undefined;
  /** The maximum length of a play. */
  readonly secondsMax?: number | undefined;
  /** Maximum number of script actions in one tick; undefined for no limit but the engine's. */
  readonly actionsMax?: number | undefined;
  /** Maximum time of a tick. */
  readonly budgetMs?: number | undefined;
}

/** One play of an exploration, determined by the seed and its index. */
export interface Episode {
  readonly index: number;
  /** The seed of the simulation and of its bots. */
  readonly seed: string;
  readonly ticks: number;
  readonly players: number;
  readonly traits: readonly BotTraits[];
  /** Whether players prefer what nobody has tried yet. */
  readonly isCurious: boolean;
}

const secondsMin = 15;
const secondsMax = 600;
/** The factors of a bot are between 1 / this and this. */
const traitSpread = 3;

/** The first play has this length and number of ordinary players: it sees what is common soonest. */
const plainSeconds = 300;
const plainPlayers = 8;
/**
 * In the second, players stand still, so that what they usually prevent happens: time runs out, and nobody is caught.
 */
const idlePlayers = 4;
const idleTraits: BotTraits = { ...defaultTraits, stay: 5, isIdle: true };

/**
 * Short plays try many beginnings, long ones reach what comes late: the logarithm of the length is uniformly
 * distributed.
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
    };
  }
  const random = new RandomStream(`${seed}/explore/${index}`);
  const seconds = Math.exp(random.between(Math.log(secondsMin), Math.log(secondsMax)));
  const players = random.integer(least, most);
  const factor = (): number => traitSpread ** random.between(-1, 1);
  return {
    index,
    seed: `${seed}/${index}`,
    ticks: Math.max(1, Math.round(seconds * rate)),
    players,
    traits: Array.from({ length: players }, () => ({ stay: factor(), talk: factor(), act: factor() })),
    isCurious: true,
  };
}

/**
 * The episodes from index `first` on, each of at most `ticksMax`, that use up a budget of ticks; the last one is cut
 * short.
 */
export function episodesFor(
  plan: ExplorePlan,
  rate: number,
  first: number,
  ticks: number,
  ticksMax = Number.POSITIVE_INFINITY,
): Episode[] {
  const episodes: Episode[] = [];
  for (let left = ticks; left > 0; ) {
    const drawn = episodeOf(plan, rate, first + episodes.length);
    const episode = { ...drawn, ticks: Math.min(drawn.ticks, ticksMax) };
    episodes.push({ ...episode, ticks: Math.min(episode.ticks, left) });
    left -= episode.ticks;
  }
  return episodes;
}

/** Whether plays look for a goal or an objective rather than for mistakes. */
export function isSearch({ goal, objective }: ExplorePlan): boolean {
  return goal !== undefined || objective !== undefined;
}

/** A goal that holds only if an objective is at least as good as this value, as far as an expression can say. */
export function goalWith({ goal, objective }: ExplorePlan, value: number): string {
  const bound = `${objective!.expression} ${objective!.direction === 'minimize' ? '<=' : '>='} ${value}`;
  return goal === undefined ? bound : `(${goal}) and ${bound}`;
}
