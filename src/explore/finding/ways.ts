import type { Simulation } from '../../../engine/index.ts';
import { Bots, type BotTraits, botIds, defaultTraits } from '../../bots/index.ts';
import { wasteMax, wasteOf } from '../playing/tick-cost.ts';
import { type IsOver, OutOfTime } from '../playing/time-limit.ts';
import { leadsTo } from '../searching/leads.ts';

/** The number of newcomers, also where nobody is in the game. */
const newcomers = 2;
/** Players do not leave in the forks: whoever is stuck can always join again. */
const steady: BotTraits = { ...defaultTraits, stay: 100 };
const restless: BotTraits = { ...defaultTraits, stay: 0.3 };

/** How players go on from a moment. */
interface Way {
  readonly name: string;
  readonly traits?: BotTraits;
  /** Who leaves first. */
  readonly leave?: 'all' | 'others';
  readonly isCurious?: boolean;
  /** They go where, and do what, scripts say may lead out. */
  readonly plans?: boolean;
  readonly hasNewcomers?: boolean;
  readonly isEmpty?: boolean;
}

/** The first ones show most often that there is a way out. */
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
/** Who stays in the game in all ways: one player, or all, without newcomers. */
type Staying = 'one' | 'all' | undefined;

function waysWith(staying: Staying): readonly Way[] {
  return all.filter(({ traits, leave, hasNewcomers }) => {
    if (staying === 'one') return traits !== restless && leave !== 'all';
    return staying === undefined || (traits !== restless && leave === undefined && hasNewcomers !== true);
  });
}

/** Number of ways that are tried if `isQuick`, as when a play is shrunk. */
const fewMax = 4;

/** `12 ways to go on (exploring, wandering)`. */
export function waysText(staying?: Staying): string {
  const names = waysWith(staying).map(({ name }) => name);
  return `${all.length} ways to go on (${[...new Set(names)].join(', ')})`;
}

export interface WaysOptions {
  readonly sim: Simulation;
  readonly isOver: IsOver;
  /** Who has played, also those who have left. */
  readonly clients?: Iterable<string>;
  /** Newcomers may be all right where others are stuck. `one`: the first of `clients` stays. */
  readonly staying?: Staying;
  /** What players look for in the ways that plan. */
  readonly about?: string;
  /** Whether a few ways are enough. */
  readonly isQuick?: boolean;
  readonly onTick?: () => void;
}

/**
 * Whether something comes true in a fork in which players go on, in one of many ways. Those of the play who have left
 * join again. Throws `OutOfTime`.
 */
export function waysOn(
  { sim, isOver, clients = [], staying, about, isQuick = false, onTick }: WaysOptions,
  seconds: number,
  isTrue: (fork: Simulation) => boolean,
): boolean {
  const present = clientsIn(sim);
  let waste = 0;
  const ways = waysWith(staying);
  for (let index = 0; index < (isQuick ? fewMax : all.length); index++) {
    const way = ways[index % ways.length]!;
    const { traits = steady, leave, isCurious = false, plans = false, hasNewcomers = false, isEmpty = false } = way;
    const seed = `${sim.seed}/${sim.tick}/${index}`;
    const fork = sim.fork({ reseed: seed });
    const endTick = fork.tick + Math.round(seconds * fork.rate);
    const kept = staying === 'one' ? [...clients][0] : present[0];
    if (leave !== undefined)
      for (const player of present) if (leave === 'all' || player !== kept) fork.input({ kind: 'leave', player });
    const playing = leave === 'others' ? [kept ?? botIds(1)[0]!] : [...new Set([...present, ...clients])];
    if (playing.length === 0 || hasNewcomers) playing.push(...botIds(playing.length + newcomers).slice(-newcomers));
    let bots: Bots | undefined;
    while (fork.tick < endTick && !fork.ended) {
      if (isOver()) throw new OutOfTime();
      bots?.beforeStep();
      fork.step();
      // Once those who leave have left.
      if (!isEmpty)
        bots ??= new Bots(fork, {
          count: playing.length,
          clients: playing,
          traits: playing.map(() => traits),
          seed,
          isCurious,
          interests: plans && about !== undefined ? leadsTo(fork.definition, [about]) : undefined,
        });
      onTick?.();
      if (isTrue(fork)) return true;
      // A game that hardly advances shows nothing, and its limit is a finding of its own.
      waste += wasteOf(fork);
      if (waste > wasteMax) return true;
    }
  }
  return false;
}

export function clientsIn(sim: Simulation): string[] {
  return sim.players().flatMap(({ controlledBy, clientId }) => (controlledBy === 'human' ? clientId : []));
}
