import {
  type Condition,
  type Journal,
  type LoadedGame,
  Replay,
  type Simulation,
  type TriggerType,
  triggerTypes,
  watchScripts,
} from '../../engine/index.ts';
import { internalsOf, programsOfGame } from '../../engine/internal.ts';

/** How often a comparison decided that a condition was false, and its sides. */
export interface FalseCount {
  readonly node: Condition;
  count: number;
  /** The values of its sides the first time, the last time, and when two numbers differed least. */
  first: Sides;
  nearest: Sides | undefined;
  last: Sides;
}

interface Sides {
  readonly tick: number;
  readonly left: unknown;
  readonly right: unknown;
}

/** Counts of scripts, actions and triggers from the start of a play to a tick, made by replaying it. */
export class Tally {
  readonly tick: number;
  /** By source location. */
  readonly locations: Float64Array;
  /** By script. */
  readonly runs: Float64Array;
  readonly triggers = new Map<TriggerType, number>();
  readonly outputs = new Map<string, number>();
  private readonly falseOnes = new Map<Condition, FalseCount>();

  constructor(game: LoadedGame, journal: Journal, tick: number) {
    const replay = new Replay(programsOfGame(game).watched('conditions'), journal, { keyframeTicks: 600 });
    const { runtime } = internalsOf(replay.sim);
    this.locations = new Float64Array(runtime.counts.length);
    this.runs = new Float64Array(runtime.runs.length);
    let watched: Simulation | undefined;
    for (;;) {
      if (replay.sim !== watched) {
        // An edit replaces the simulation, whose counters start at 0.
        if (watched !== undefined) this.add(watched);
        watched = replay.sim;
        const sim = watched;
        watchScripts(sim, {
          enter() {},
          leave() {},
          conditionFalse: (node, left, right) => this.note(node, { tick: sim.tick, left, right }),
        });
      }
      if (replay.tick >= tick || replay.sim.ended) break;
      replay.step();
    }
    this.add(replay.sim);
    this.tick = replay.tick;
  }

  falseCount(node: Condition): FalseCount | undefined {
    return this.falseOnes.get(node);
  }

  private add(sim: Simulation): void {
    const { runtime, world } = internalsOf(sim);
    runtime.counts.forEach((count, i) => {
      this.locations[i]! += count;
    });
    runtime.runs.forEach((count, i) => {
      this.runs[i]! += count;
    });
    for (const [kind, count] of world.outbox.counts) this.outputs.set(kind, (this.outputs.get(kind) ?? 0) + count);
    triggerTypes.forEach((type, i) => {
      this.triggers.set(type, (this.triggers.get(type) ?? 0) + world.triggers.counts[i]!);
    });
  }

  private note(node: Condition, sides: Sides): void {
    const entry = this.falseOnes.get(node);
    if (entry === undefined) {
      this.falseOnes.set(node, {
        node,
        count: 1,
        first: sides,
        last: sides,
        nearest: distance(sides) === undefined ? undefined : sides,
      });
      return;
    }
    entry.count++;
    entry.last = sides;
    const apart = distance(sides);
    if (apart !== undefined && (entry.nearest === undefined || apart < distance(entry.nearest)!)) entry.nearest = sides;
  }
}

function distance({ left, right }: Sides): number | undefined {
  const apart = Math.abs(numberIn(left) - numberIn(right));
  return Number.isNaN(apart) ? undefined : apart;
}

function numberIn(value: unknown): number {
  return typeof value === 'number' ? value : typeof value === 'string' && value !== '' ? Number(value) : Number.NaN;
}
