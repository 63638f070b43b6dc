import type { World } from '../../../engine/tools.ts';
import { observeScripts, type RandomStream, replaceChance } from '../engine.ts';

/** Random streams by their numbers in the rule. */
const streamNumbers = { script: 0, ai: 1, item: 2, buffs: 3, ailments: 4 } as const;

function hash(number: number): number {
  let n = number | 0;
  n = Math.imul(n ^ (n >>> 16), 0x45d9f3b);
  n = Math.imul(n ^ (n >>> 16), 0x45d9f3b);
  return ((n ^ (n >>> 16)) >>> 0) / 4294967296;
}

/** The number from 0 (inclusive) to 1 (exclusive) that the rule gives to every draw of a stream within one action. */
export function draw(salt: number, tick: number, actions: number, stream: number): number {
  return hash((hash(tick + salt * 7919) * 4294967296 + actions * 31 + stream * 1000003) | 0);
}

/** The members of a stream that the engine uses while it plays. */
type Draws = Pick<RandomStream, 'next' | 'between' | 'integer' | 'pick' | 'chance'>;

/** Called for each action that begins, with the number of its source location. */
export type ActionListener = (action: number) => void;

/**
 * Replaces the random numbers of a world by the rule of recordings: a number depends only on the tick, on how many
 * actions have begun in it, and on the stream. Call it when `gameStart` is about to fire, before any script runs; this
 * is the first time that an observer sees the world. The program of the world must have been compiled to be watched.
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
      // The engine needs no other members of a stream; using one fails.
      return [name, draws as RandomStream] as const;
    }),
  );
  replaceChance(world, (name) => {
    const stream = streams.get(name);
    if (stream === undefined) throw new Error(`The rule of chance has no number for the stream "${name}".`);
    return stream;
  });

  observeScripts(world, {
    enter(kind, index) {
      if (kind !== 'action') return;
      actions = begunInTick() + 1;
      onAction(index);
    },
    leave() {},
  });
}
