import { type DialectName, type Input, type JournalRecord, loadDefinition, Simulation } from '../../engine/index.ts';
import { Bots } from '../../src/bots/bots.ts';

/** A long run of which every stretch is replayed from a snapshot. Does not use Node, because browsers run it, too. */

/** Default number of ticks between two comparisons of the state. */
export const stretchTicks = 1000;
const botCount = 4;

export interface LongPlayWishes {
  readonly ticks: number;
  readonly dialect: DialectName;
  /** Ticks between two comparisons. Default: `stretchTicks`. */
  readonly stretch?: number;
  /** Whether each stretch is replayed from a snapshot. */
  readonly restores: boolean;
}

export interface LongPlayResult {
  /** Hashes of the state after each stretch, and of the final state of each game. */
  readonly hashes: readonly string[];
  /** How often the game ended and was restarted with another seed. */
  readonly plays: number;
  readonly ticks: number;
  readonly restored: number;
  readonly inputs: number;
  /** Maximum number of entities at the end of a stretch. */
  readonly entities: number;
  /** Where a restored game diverged. */
  readonly failure: string | undefined;
}

/**
 * Plays a game with bots for a number of ticks, restarting it if it ends. Throws if the document is not a definition.
 */
export function longPlay(document: unknown, wishes: LongPlayWishes): LongPlayResult {
  const { ticks, dialect, stretch = stretchTicks, restores } = wishes;
  const { game } = loadDefinition(document);
  if (game === undefined) throw new Error('This is no definition.');
  const hashes: string[] = [];
  const result = { plays: 0, ticks: 0, restored: 0, inputs: 0, entities: 0 };
  while (result.ticks < ticks) {
    const seed = `long ${result.plays++}`;
    const sim = new Simulation(game, { seed, dialect });
    let start = restores ? sim.snapshot() : undefined;
    let next: Uint8Array | undefined;
    const inputs = new Map<number, readonly Input[]>();
    // Uses the recorder's snapshots, which exclude pending inputs, because inputs are recorded in the tick in which
    // they take effect.
    const note = (record: JournalRecord): void => {
      if (record.kind === 'snapshot') next = record.bytes;
      if (record.kind !== 'inputs') return;
      inputs.set(record.tick, record.inputs);
      result.inputs += record.inputs.length;
    };
    sim.journal(note, { hashTicks: ticks + 1, snapshotTicks: restores ? stretch : 0 });
    const bots = new Bots(sim, { count: botCount, seed });
    for (;;) {
      bots.beforeStep();
      sim.step();
      result.ticks++;
      const isLast = sim.ended || result.ticks === ticks;
      if (sim.tick % stretch !== 0 && !isLast) continue;
      const hash = sim.hash();
      hashes.push(hash);
      const { units, items, projectiles } = sim.view();
      result.entities = Math.max(result.entities, units.length + items.length + projectiles.length);
      if (start !== undefined) {
        const twin = Simulation.restore(game, start);
        const from = twin.tick;
        while (twin.tick < sim.tick && !twin.ended) {
          for (const input of inputs.get(twin.tick + 1) ?? []) twin.input(input);
          twin.step();
        }
        result.restored++;
        if (twin.hash() !== hash) {
          const failure = `restored at tick ${from}, ${dialect}, seed ${seed}: another state at tick ${sim.tick}`;
          return { ...result, hashes, failure };
        }
        start = next;
        inputs.clear();
      }
      if (isLast) break;
    }
  }
  return { ...result, hashes, failure: undefined };
}
