import type { Simulation } from '../../../engine/index.ts';
import { Bots, type BotTraits, botIds, defaultTraits } from '../../bots/index.ts';
import { wasteMax, wasteOf } from '../playing/tick-cost.ts';
import { type IsOver, OutOfTime } from '../playing/time-limit.ts';
import { leadsTo } from '../searching/leads.ts';

/** The number of newcomers. They also join a game without players. */
const newcomers = 2;
/** Bots do not leave, because a player who is stuck can always leave and join again. */
const steady: BotTraits = { ...defaultTraits, stay: 100 };
const restless: BotTraits = { ...defaultTraits, stay: 0.3 };

/** One of the ways in which players may go on from a moment. */
interface Way {
  readonly name: string;
  readonly traits?: BotTraits;
  /** The players who leave at the start. */
  readonly leave?: 'all' | 'others';
  readonly isCurious?: boolean;
  /** Whether bots read the scripts, and go where they may get on and do what may help. */
  readonly plans?: boolean;
  readonly hasNewcomers?: boolean;
  readonly isEmpty?: boolean;
}

/** The ways, ordered by success: the first ones most often show that the game can go on. */
const all: readonly Way[] = [
  { name: 'exploring', isCurious: true },
  { name: 'wandering' },
  { name: 'planning', plans: true },
  { name: 'standing still', traits: { ...steady, isIdle: true } },
  { name: 'coming back', leave: 'all' },
  { name: 'one player', leave: 'others', isCurious: true },
  { name: 'nobody', leave: 'all', isEmpty: true },
  { name: 'newcomers', hasNewcomers: true },
  { name: 'coming and going', traits: restless, isCurious: true },
  { name: 'exploring', isCurious: true },
  { name: 'planning', plans: true },
  { name: 'one player', leave: 'others', plans: true },
];
/** The number of ways that are tried if `isQuick`, as when a play is shrunk. */
const fewMax = 4;

function waysWith(isOneStaying: boolean): readonly Way[] {
  return isOneStaying ? all.filter(({ traits, leave }) => traits !== restless && leave !== 'all') : all;
}

/** The number of ways and their names, as text: `12 ways to go on (exploring, wandering)`. */
export function waysText(isOneStaying = false): string {
  const names = waysWith(isOneStaying).map(({ name }) => name);
  return `${all.length} ways to go on (${[...new Set(names)].join(', ')})`;
}

export interface WaysOptions {
  readonly sim: Simulation;
  /** Called before each tick. */
  readonly isOver: IsOver;
  /** The clients that have played, including those that have left. */
  readonly clients?: Iterable<string>;
  /**
   * Restricts the ways to those in which the first of `clients` stays, because newcomers may be able to play where
   * others are stuck.
   */
  readonly isOneStaying?: boolean;
  /** The name of something that bots look for, in those ways in which they make plans. */
  readonly about?: string;
  /** Whether only a few ways are tried. */
  readonly isQuick?: boolean;
  /** How long the first fork goes on, and that in which the players stand still. By default as long as the others. */
  readonly waitSeconds?: number;
}

/**
 * Whether a condition becomes true in any fork in which players go on. Each fork tries another way, for at most
 * `seconds`, and ends earlier if the condition is undefined. Players who have left the play join again. Throws
 * `OutOfTime`.
 */
export function waysOn(
  { sim, isOver, clients = [], isOneStaying = false, about, isQuick = false, waitSeconds }: WaysOptions,
  seconds: number,
  isTrue: (fork: Simulation) => boolean | undefined,
): boolean {
  const present = clientsIn(sim);
  let waste = 0;
  const ways = waysWith(isOneStaying);
  for (let index = 0; index < (isQuick ? fewMax : all.length); index++) {
    const way = ways[index % ways.length]!;
    const { traits = steady, leave, isCurious = false, plans = false, hasNewcomers = false, isEmpty = false } = way;
    const seed = `${sim.seed}/${sim.tick}/${index}`;
    const fork = sim.fork({ reseed: seed });
    const isLong = index === 0 || traits.isIdle === true;
    const forkSeconds = isLong ? (waitSeconds ?? seconds) : seconds;
    const endTick = fork.tick + Math.round(forkSeconds * fork.rate);
    const kept = isOneStaying ? [...clients][0] : present[0];
    if (leave !== undefined)
      for (const player of present) if (leave === 'all' || player !== kept) fork.input({ kind: 'leave', player });
    const playing = leave === 'others' ? [kept ?? botIds(1)[0]!] : [...new Set([...present, ...clients])];
    if (playing.length === 0 || hasNewcomers) playing.push(...botIds(playing.length + newcomers).slice(-newcomers));
    let bots: Bots | undefined;
    while (fork.tick < endTick && !fork.ended) {
      if (isOver()) throw new OutOfTime();
      bots?.beforeStep();
      fork.step();
      // Bots start after the first tick, in which those who leave have left.
      if (!isEmpty)
        bots ??= new Bots(fork, {
          count: playing.length,
          clients: playing,
          traits: playing.map(() => traits),
          seed,
          isCurious,
          interests: plans && about !== undefined ? leadsTo(fork.definition, about) : undefined,
        });
      const answer = isTrue(fork);
      if (answer === true) return true;
      if (answer === undefined) break;
      // A game that hardly advances proves nothing. It counts as going on, because exceeding the limit is a finding of
      // its own.
      waste += wasteOf(fork);
      if (waste > wasteMax) return true;
    }
  }
  return false;
}

export function clientsIn(sim: Simulation): string[] {
  return sim.players().flatMap(({ controlledBy, clientId }) => (controlledBy === 'human' ? clientId : []));
}
