import {
  type Condition,
  type Journal,
  type LoadedGame,
  type PlayCounts,
  playCounts,
  Replay,
  type Simulation,
  type TriggerType,
  watchScripts,
} from '../../engine/index.ts';
import { programsOfGame } from '../../engine/internal.ts';
import { type FalseComparison, FalseComparisons } from '../run/false-comparisons.ts';

/** Counts of scripts, actions and triggers from the start of a play to a tick, made by replaying it. */
export class Tally {
  /** By source location. */
  locations = new Float64Array(0);
  /** By script. */
  runs = new Float64Array(0);
  triggers: ReadonlyMap<TriggerType, number> = new Map();
  outputs: ReadonlyMap<string, number> = new Map();
  private readonly falseOnes: FalseComparisons;
  private readonly replay: Replay;
  private watched: Simulation | undefined;
  /** The counts of simulations that an edit replaced: those of the next one start at 0. */
  private readonly earlier: PlayCounts[] = [];

  constructor(game: LoadedGame, journal: Journal) {
    this.replay = new Replay(programsOfGame(game).watched('conditions'), journal, { keyframeTicks: 600 });
    this.falseOnes = new FalseComparisons(() => this.replay.sim.tick);
  }

  get tick(): number {
    return this.replay.tick;
  }

  /** Counts on up to a tick, or to the end of the game. */
  advance(tick: number): void {
    const { replay } = this;
    for (;;) {
      if (replay.sim !== this.watched) {
        if (this.watched !== undefined) this.earlier.push(playCounts(this.watched));
        this.watched = replay.sim;
        watchScripts(replay.sim, this.falseOnes);
      }
      if (replay.tick >= tick || replay.sim.ended) break;
      replay.step();
    }
    const all = [...this.earlier, playCounts(replay.sim)];
    this.locations = summed(all.map(({ locations }) => locations));
    this.runs = summed(all.map(({ scripts }) => scripts));
    this.triggers = merged(all.map(({ triggers }) => triggers));
    this.outputs = merged(all.map(({ outputs }) => outputs));
  }

  /** How often a comparison decided that a condition was false. */
  falseCount(node: Condition): FalseComparison | undefined {
    return this.falseOnes.of(node);
  }
}

function summed(all: readonly Float64Array[]): Float64Array<ArrayBuffer> {
  return Float64Array.from(all[0]!, (_, i) => all.reduce((sum, counts) => sum + counts[i]!, 0));
}

function merged<K>(all: readonly ReadonlyMap<K, number>[]): ReadonlyMap<K, number> {
  const sums = new Map<K, number>();
  for (const counts of all) for (const [key, count] of counts) sums.set(key, (sums.get(key) ?? 0) + count);
  return sums;
}
