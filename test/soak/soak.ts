import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type DialectName, loadDefinition, Simulation } from '../../engine/index.ts';
import { internalsOf } from '../../engine/tools.ts';
import { Bots } from '../../src/bots/bots.ts';
import { frameOf } from '../../src/journal/frames.ts';

/** Plays a game for a day, with players that come, play for a while, leave and return, and measures what grows. */

const botCount = 8;

export interface SoakWishes {
  readonly ticks: number;
  /** Number of parts of equal length; each is measured at its end. */
  readonly parts: number;
  readonly dialect: DialectName;
}

/** The memory at the end of a part, and the time spent in it. */
export interface SoakLeg {
  /** Bytes in use after a garbage collection. */
  readonly heap: number;
  /** Bytes of a snapshot: the whole state of the engine. */
  readonly snapshot: number;
  readonly entities: number;
  readonly timers: number;
  readonly listeners: number;
  /** Open handles of the process: sockets, timers, files. */
  readonly handles: number;
  /** Bytes of the recording of this part. */
  readonly journal: number;
  /** Processor time of a tick, µs. */
  readonly tickUs: number;
  readonly joined: number;
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Plays a document; a game that ends is restarted. Throws if the document is not a definition. */
export function soak(document: unknown, { ticks, parts, dialect }: SoakWishes): SoakLeg[] {
  const { game } = loadDefinition(document);
  if (game === undefined) throw new Error('This is no definition.');
  const found: SoakLeg[] = [];
  let journal = 0;
  let joined = 0;
  let plays = 0;
  const begin = () => {
    const seed = `soak ${plays++}`;
    const sim = new Simulation(game, { seed, dialect });
    sim.journal(
      (record) => {
        journal += frameOf(record).length;
        if (record.kind === 'inputs') joined += record.inputs.filter(({ kind }) => kind === 'join').length;
      },
      { hashTicks: ticks + 1, snapshotTicks: 0 },
    );
    return { sim, bots: new Bots(sim, { count: botCount, seed }) };
  };
  let play = begin();
  const partTicks = Math.ceil(ticks / parts);
  for (let part = 0; part < parts; part++) {
    [journal, joined] = [0, 0];
    const before = process.cpuUsage().user;
    for (let tick = 0; tick < partTicks; tick++) {
      if (play.sim.ended) play = begin();
      play.bots.beforeStep();
      play.sim.step();
    }
    const tickUs = (process.cpuUsage().user - before) / partTicks;
    const { sim } = play;
    const { world } = internalsOf(sim);
    const snapshot = sim.snapshot().length;
    // Twice: the first collection runs finalizers, whose objects the second one frees.
    collect();
    collect();
    found.push({
      heap: process.memoryUsage().heapUsed,
      snapshot,
      entities: world.entityCount,
      timers: world.timers.heap.length,
      listeners: listenersOf(sim),
      handles: (process as unknown as { getActiveResourcesInfo(): string[] }).getActiveResourcesInfo().length,
      journal,
      tickUs,
      joined,
    });
  }
  return found;
}

function listenersOf(sim: Simulation): number {
  const { listeners } = sim as unknown as { listeners: { emitter: { emitter: { all: Map<string, unknown[]> } } } };
  const { all } = listeners.emitter.emitter;
  let count = 0;
  for (const each of all.values()) count += each.length;
  return count;
}

/** The growth from the first part to the last along a least-squares line, as a share of the mean. */
export function growth(values: readonly number[]): number {
  const count = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  if (mean === 0 || count < 2) return 0;
  const middle = (count - 1) / 2;
  let above = 0;
  let below = 0;
  values.forEach((value, i) => {
    above += (i - middle) * (value - mean);
    below += (i - middle) ** 2;
  });
  return ((above / below) * (count - 1)) / mean;
}

/** Members that must not grow. The first part is ignored, because code is compiled and players join in it. */
export const bounded = ['heap', 'snapshot', 'entities', 'timers', 'listeners', 'handles', 'journal'] as const;

/**
 * Describes what grows: compares the maximum of the last third with that of the third before. Empty if nothing does.
 */
export function outgrowths(parts: readonly SoakLeg[], most = 1.5): string[] {
  const third = Math.floor(parts.length / 3);
  const found: string[] = [];
  for (const what of bounded) {
    const before = Math.max(...parts.slice(third, 2 * third).map((part) => part[what]));
    const after = Math.max(...parts.slice(2 * third).map((part) => part[what]));
    // A few more timers or entities do not count as growth.
    if (after > before * most + 8) found.push(`${what}: ${before}, later ${after}`);
  }
  return found;
}
