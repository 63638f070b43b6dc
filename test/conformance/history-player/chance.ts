import type { World } from '../../../engine/internal.ts';
import { type RandomStream, replaceChance, watchScripts } from '../engine.ts';

/** Streams of chance by their numbers in the rule. */
const streamNumbers = { script: 0, ai: 1, item: 2, buffs: 3, ailments: 4 } as const;

function hash(number: number): number {
  let n = number | 0;
  n = Math.imul(n ^ (n >>> 16), 0x45d9f3b);
  n = Math.imul(n ^ (n >>> 16), 0x45d9f3b);
  return ((n ^ (n >>> 16)) >>> 0) / 4294967296;
}

/** The number that the rule gives to every draw of a stream within one action. At least 0, below 1. */
export function draw(salt: number, tick: number, actions: number, stream: number): number {
  return hash((hash(tick + salt * 7919) * 4294967296 + actions * 31 + stream * 1000003) | 0);
}

/** The members of a stream that the engine uses while it plays. */
type Draws = Pick<RandomStream, 'next' | 'between' | 'integer' | 'pick' | 'chance'>;

/** Called for each action that begins; the number is that of its place in the program. */
export type ActionListener = (action: number) => void;

/**
 * Replaces the chance of a world by the rule of recordings. There a number depends on the tick, on how many actions have begun in it, and on
 * the stream. To be called when `gameStart` is about to fire, before any script runs: the first moment at which an observer meets the world. The
 * world must be of a program that was compiled to be watched.
 */
export function ruleChance(world: World, salt: number, onAction: ActionListener): void {
  let tick = world.clock.tick;
  let actions = 0;
  const begunInTick = () => {
    if (world.clock.tick !== tick) {
      tick = world.clock.tick;
      actions = 0;
    }
    return actions;
  };

  const streams = new Map(
    Object.entries(streamNumbers).map(([name, number]) => {
      const next = () => draw(salt, world.clock.tick, name === 'ai' ? 0 : begunInTick(), number);
      const draws: Draws = {
        next,
        between: (min, max) => min + next() * (max - min),
        integer: (min, max) => min + Math.floor(next() * (max - min + 1)),
        pick: (items) => items[Math.floor(next() * items.length)],
        chance: (probability) => next() < probability,
      };
      // Whatever else a stream can do is not needed to play on, and fails if it is used.
      return [name, draws as RandomStream] as const;
    }),
  );
  replaceChance(world, (name) => {
    const stream = streams.get(name);
    if (stream === undefined) throw new Error(`The rule of chance has no number for the stream "${name}".`);
    return stream;
  });

  watchScripts(world, {
    enter(kind, index) {
      if (kind !== 'action') return;
      actions = begunInTick() + 1;
      onAction(index);
    },
    leave() {},
  });
}
