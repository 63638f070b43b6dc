import type { RandomStream } from '../../../engine/core/random.ts';
import { dialectNamed } from '../../../engine/definition/dialect.ts';
import {
  type DialectName,
  firstDifference,
  type Limits,
  type LoadedGame,
  loadDefinition,
  type OutputEvent,
  Simulation,
} from '../../../engine/index.ts';
import { internalsOf } from '../../../engine/tools.ts';
import { Bots } from '../../../src/bots/bots.ts';
import { type Json, RandomScripts } from './random-scripts.ts';
import { walkScripts } from './walker.ts';

/** Small, so that a random script that creates entities without end soon reaches the limit. */
const limits: Partial<Limits> = {
  entities: 600,
  timers: 300,
  loopIterations: 60,
  scriptDepth: 12,
  queuedTriggers: 2000,
};
const scriptsMax = 12;

export interface Comparison {
  /** The first difference; undefined if there is none. */
  readonly failure: string | undefined;
  readonly ticks: number;
  /** Number of actions that ran. */
  readonly actions: number;
  readonly faults: number;
}

/** A document with random scripts added to the game and to the types of one section. */
export function withRandomScripts(document: Json, random: RandomStream): Json {
  const copy = structuredClone(document) as { [key: string]: Json };
  const data = (copy['data'] ?? (copy['gameJson'] as { data: Json })?.data ?? copy) as { [key: string]: Json };
  const count = random.integer(3, scriptsMax);
  const keys = Array.from({ length: count }, (_, i) => `random${i}`);
  const making = new RandomScripts(data, random, keys);
  const folders = [data['scripts'] ?? {}];
  for (const section of ['unitTypes', 'itemTypes', 'projectileTypes']) {
    for (const type of Object.values((data[section] ?? {}) as { [key: string]: { scripts?: Json } })) {
      type.scripts ??= {};
      folders.push(type.scripts);
    }
  }
  for (const key of keys) {
    const folder = random.chance(0.7) ? folders[0]! : random.pick(folders)!;
    (folder as { [key: string]: Json })[key] = making.script();
  }
  return copy;
}

/** Plays a document with compiled scripts and with interpreted scripts, side by side, and compares after each tick. */
export function compare(document: unknown, dialect: DialectName, ticks: number, seed: string): Comparison {
  const sides = [beginning(document, dialect, seed, false), beginning(document, dialect, seed, true)] as const;
  const [compiled, walked] = sides;
  const result = { ticks: 0, actions: 0, faults: 0 };
  for (let tick = 0; tick < ticks && !compiled.sim.ended; tick++) {
    for (const { sim, bots } of sides) {
      bots.beforeStep();
      sim.step();
    }
    result.ticks++;
    const failure = difference(compiled, walked);
    if (failure !== undefined) return { ...result, failure: `tick ${compiled.sim.tick}: ${failure}` };
  }
  result.faults = compiled.sim.faults().length;
  for (const count of internalsOf(compiled.sim).runtime.actionCounts().values()) result.actions += count;
  return { ...result, failure: undefined };
}

interface Side {
  readonly sim: Simulation;
  readonly bots: Bots;
  readonly outputs: string[];
}

function beginning(document: unknown, dialect: DialectName, seed: string, isWalked: boolean): Side {
  const game = loaded(structuredClone(document));
  if (isWalked) walkScripts(game, dialectNamed(dialect));
  const outputs: string[] = [];
  const onOutput = (event: OutputEvent): void => {
    outputs.push(JSON.stringify(event));
  };
  const sim = new Simulation(game, { seed, dialect, limits, onOutput });
  return { sim, bots: new Bots(sim, { count: 3, seed }), outputs };
}

function loaded(document: unknown): LoadedGame {
  const { game } = loadDefinition(document);
  if (game === undefined) throw new Error('This is no definition.');
  return game;
}

function difference(a: Side, b: Side): string | undefined {
  const [left, right] = [a.outputs.splice(0), b.outputs.splice(0)];
  const output = left.findIndex((text, i) => text !== right[i]);
  if (output >= 0) return `outputs: ${left[output]} and, walked, ${right[output]}`;
  if (left.length !== right.length) return `${left.length} outputs and, walked, ${right.length}`;
  const [faults, others] = [a.sim.faults(), b.sim.faults()].map((list) => list.map((fault) => JSON.stringify(fault)));
  const fault = faults!.findIndex((text, i) => text !== others![i]);
  if (fault >= 0) return `faults: ${faults![fault]} and, walked, ${others![fault]}`;
  if (others!.length > faults!.length) return `faults: walked alone ${others![faults!.length]}`;
  if (a.sim.hash() === b.sim.hash()) return undefined;
  return `state: ${JSON.stringify(firstDifference(a.sim, b.sim))}`;
}
