import {
  type Difference,
  firstDifference,
  type Input,
  type JournalRecord,
  type LoadedGame,
  Simulation,
} from '../../engine/index.ts';
import { inputUnchecked } from '../../engine/internal.ts';

export interface HeavyFailure {
  readonly tick: number;
  /** Undefined where the hashes differ and nothing else that is known. */
  readonly difference: Difference | undefined;
}

/**
 * Proves snapshots while a game plays: in every tick the game is saved, restored, and both are stepped and compared. Fed with the records of a
 * journal that has a hash and a snapshot of every tick.
 */
export class HeavyTwin {
  /** Ticks in which a restored twin made the same step. */
  ticksEqual = 0;
  failure: HeavyFailure | undefined;
  private readonly loaded: LoadedGame;
  private readonly original: () => Simulation;
  private twin: Simulation | undefined;
  private inputs: readonly Input[] = [];

  constructor(loaded: LoadedGame, original: () => Simulation) {
    this.loaded = loaded;
    this.original = original;
  }

  readonly put = (record: JournalRecord): void => {
    if (this.failure !== undefined) return;
    if (record.kind === 'inputs') this.inputs = record.inputs;
    else if (record.kind === 'hash') this.compare(record.tick, record.hash);
    else if (record.kind === 'snapshot') this.twin = Simulation.restore(this.loaded, record.bytes);
  };

  private compare(tick: number, hash: string): void {
    const { twin, inputs } = this;
    this.inputs = [];
    this.twin = undefined;
    if (twin === undefined || twin.tick !== tick - 1) return;
    for (const input of inputs) inputUnchecked(twin, input);
    twin.step();
    if (twin.hash() === hash) this.ticksEqual++;
    else this.failure = { tick, difference: firstDifference(this.original(), twin) };
  }
}
