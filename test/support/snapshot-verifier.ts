import {
  type Difference,
  firstDifference,
  type Input,
  type JournalRecord,
  type LoadedGame,
  Simulation,
} from '../../engine/index.ts';
import { inputUnchecked } from '../../engine/tools.ts';

export interface SnapshotFailure {
  readonly tick: number;
  /** The first field that differs; undefined if the hashes differ but no known field does. */
  readonly difference: Difference | undefined;
}

/**
 * Verifies snapshots while a game runs: on every tick it restores the game, steps both and compares them. Needs the
 * records of a journal with a hash and a snapshot per tick.
 */
export class SnapshotVerifier {
  /** The number of ticks after which the restored simulation was in the same state. */
  ticksEqual = 0;
  failure: SnapshotFailure | undefined;
  private restored: Simulation | undefined;
  private inputs: readonly Input[] = [];

  constructor(
    private readonly loaded: LoadedGame,
    private readonly original: () => Simulation,
  ) {}

  readonly put = (record: JournalRecord): void => {
    if (this.failure !== undefined) return;
    if (record.kind === 'inputs') this.inputs = record.inputs;
    else if (record.kind === 'hash') this.compare(record.tick, record.hash);
    else if (record.kind === 'snapshot') this.restored = Simulation.restore(this.loaded, record.bytes);
  };

  private compare(tick: number, hash: string): void {
    const { restored, inputs } = this;
    this.inputs = [];
    this.restored = undefined;
    if (restored === undefined || restored.tick !== tick - 1) return;
    for (const input of inputs) inputUnchecked(restored, input);
    restored.step();
    if (restored.hash() === hash) this.ticksEqual++;
    else this.failure = { tick, difference: firstDifference(this.original(), restored) };
  }
}
