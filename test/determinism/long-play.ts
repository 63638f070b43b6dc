import { type DialectName, type Input, type JournalRecord, loadDefinition, Simulation } from '../../engine/index.ts';
import { Bots } from '../../src/bots/bots.ts';

/** A play that is long, and of which every part is played once more from a snapshot. Nothing here is of Node, because browsers play it too. */

/** Ticks from one look at the state to the next. */
export const stretchTicks = 1000;
const botCount = 4;

export interface LongPlayWishes {
  readonly ticks: number;
  readonly dialect: DialectName;
  /** Ticks from one look to the next. Default `stretchTicks`. */
  readonly stretch?: number;
  /** Whether each stretch is played once more from a snapshot. */
  readonly restores: boolean;
}

export interface LongPlayResult {
  /** Of the state after each stretch, and of the last state of each play. */
  readonly hashes: readonly string[];
  /** Games that end are begun again, with another seed. */
  readonly plays: number;
  readonly ticks: number;
  readonly restored: number;
  readonly inputs: number;
  /** The most entities seen at an end of a stretch. */
  readonly entities: number;
  /** Where a restored game went another way. */
  readonly failure: string | undefined;
}

/** Plays a document for so many ticks with bots; games that end sooner are begun anew. Throws for what is no definition. */
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
    // Of the recorder, because its snapshots are without the inputs that wait: those are recorded in the tick in which they take effect.
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
