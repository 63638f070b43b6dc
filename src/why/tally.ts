import {
  type Condition,
  type Journal,
  type LoadedGame,
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
  readonly tick: number;
  /** By source location. */
  readonly locations: Float64Array;
  /** By script. */
  readonly runs: Float64Array;
  readonly triggers = new Map<TriggerType, number>();
  readonly outputs = new Map<string, number>();
  private readonly falseOnes: FalseComparisons;

  constructor(game: LoadedGame, journal: Journal, tick: number) {
    const replay = new Replay(programsOfGame(game).watched('conditions'), journal, { keyframeTicks: 600 });
    const counts = playCounts(replay.sim);
    this.falseOnes = new FalseComparisons(() => replay.sim.tick);
    this.locations = new Float64Array(counts.locations.length);
    this.runs = new Float64Array(counts.scripts.length);
    let watched: Simulation | undefined;
    for (;;) {
      if (replay.sim !== watched) {
        // An edit replaces the simulation, whose counters start at 0.
        if (watched !== undefined) this.add(watched);
        watched = replay.sim;
        watchScripts(watched, this.falseOnes);
      }
      if (replay.tick >= tick || replay.sim.ended) break;
      replay.step();
    }
    this.add(replay.sim);
    this.tick = replay.tick;
  }

  /** How often a comparison decided that a condition was false. */
  falseCount(node: Condition): FalseComparison | undefined {
    return this.falseOnes.of(node);
  }

  private add(sim: Simulation): void {
    const { locations, scripts, triggers, outputs } = playCounts(sim);
    locations.forEach((count, i) => {
      this.locations[i]! += count;
    });
    scripts.forEach((count, i) => {
      this.runs[i]! += count;
    });
    for (const [kind, count] of outputs) this.outputs.set(kind, (this.outputs.get(kind) ?? 0) + count);
    for (const [type, count] of triggers) this.triggers.set(type, (this.triggers.get(type) ?? 0) + count);
  }
}
