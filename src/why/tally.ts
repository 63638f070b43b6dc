import {
  type Condition,
  playCounts,
  type Simulation,
  type TriggerType,
  triggerTypes,
  watchScripts,
} from '../../engine/index.ts';
import { internalsOf } from '../../engine/tools.ts';
import { type FalseComparison, FalseComparisons } from '../run/index.ts';
import { Approaches } from './surroundings.ts';

interface Totals {
  readonly locations: Float64Array;
  readonly runs: Float64Array;
  readonly triggers: ReadonlyMap<TriggerType, number>;
  readonly outputs: ReadonlyMap<string, number>;
}

/**
 * Counts of scripts, actions, triggers and outputs, the comparisons that were false, and how near units came to
 * regions, from the start of a play to a tick.
 */
export class Tally {
  /** By source location. */
  readonly locations: Float64Array;
  /** By script. */
  readonly runs: Float64Array;
  readonly triggers: Map<TriggerType, number>;
  readonly outputs: Map<string, number>;
  readonly approaches = new Approaches();
  private readonly falseOnes = new FalseComparisons(() => 0);

  constructor({ locations, runs, triggers, outputs }: Totals) {
    this.locations = locations.slice();
    this.runs = runs.slice();
    this.triggers = new Map(triggers);
    this.outputs = new Map(outputs);
  }

  add({ locations, runs, triggers, outputs, falseOnes, approaches }: Block): void {
    addTo(this.locations, locations);
    addTo(this.runs, runs);
    for (const [i, type] of triggerTypes.entries())
      this.triggers.set(type, (this.triggers.get(type) ?? 0) + triggers[i]!);
    for (const [kind, count] of outputs) this.outputs.set(kind, (this.outputs.get(kind) ?? 0) + count);
    this.falseOnes.add(falseOnes);
    this.approaches.add(approaches);
  }

  /** How often a comparison decided that a condition was false. */
  falseCount(node: Condition): FalseComparison | undefined {
    return this.falseOnes.of(node);
  }
}

/** Successive ticks that were counted together. */
interface Block {
  readonly locations: Float64Array;
  readonly runs: Float64Array;
  readonly triggers: Float64Array;
  readonly outputs: Map<string, number>;
  readonly falseOnes: FalseComparisons;
  readonly approaches: Approaches;
  /** The tick to count next. */
  next: number;
}

/** The most ticks that a tally has to simulate again. */
const blockTicks = 20;

/** Collects tallies while a play is simulated, in whatever order its parts are, so that it is simulated once. */
export class Tallies {
  private readonly first: number;
  private readonly start: Tally;
  private readonly noteApproaches: (sim: Simulation, approaches: Approaches) => void;
  private readonly blocks = new Map<number, Block>();
  /** The block of the tick that is being simulated, and the counts before it. */
  private counting: { readonly block: Block; readonly before: Counts } | undefined;
  private latest: { readonly tick: number; readonly tally: Tally } | undefined;

  /** `sim`: as the play starts. `noteApproaches`: called for it, and after each tick. */
  constructor(sim: Simulation, noteApproaches: (sim: Simulation, approaches: Approaches) => void) {
    this.noteApproaches = noteApproaches;
    this.first = sim.tick;
    const { locations, scripts: runs, triggers, outputs } = playCounts(sim);
    this.start = new Tally({ locations, runs, triggers, outputs });
    noteApproaches(sim, this.start.approaches);
  }

  /** Call before a tick is simulated. The scripts of the game must report false conditions. */
  before(sim: Simulation): void {
    const { tick } = sim;
    const index = Math.floor(tick / blockTicks);
    let block = this.blocks.get(index);
    if (block === undefined && tick === Math.max(this.first, index * blockTicks)) {
      block = this.newBlock(tick + 1);
      this.blocks.set(index, block);
    }
    this.counting = block?.next === tick + 1 ? { block, before: countsOf(sim) } : undefined;
    watchScripts(sim, this.counting?.block.falseOnes);
  }

  /** Call after it, with the same simulation. */
  after(sim: Simulation): void {
    if (this.counting === undefined) return;
    const { block, before } = this.counting;
    const now = countsOf(sim);
    for (const part of ['locations', 'runs', 'triggers'] as const) addTo(block[part], now[part], before[part]);
    for (const [kind, count] of now.outputs) {
      const more = count - (before.outputs.get(kind) ?? 0);
      if (more > 0) block.outputs.set(kind, (block.outputs.get(kind) ?? 0) + more);
    }
    block.next++;
    this.noteApproaches(sim, block.approaches);
    watchScripts(sim, undefined);
  }

  /** The tally of the ticks up to one. `play` simulates the ticks after one up to another. */
  upTo(tick: number, play: (from: number, to: number) => void): Tally {
    if (this.latest?.tick === tick) return this.latest.tally;
    const tally = new Tally(this.start);
    tally.approaches.add(this.start.approaches);
    for (let from = this.first; from < tick; ) {
      const index = Math.floor(from / blockTicks);
      const to = Math.min(tick, (index + 1) * blockTicks);
      const known = this.blocks.get(index);
      const isLonger = known !== undefined && known.next > to + 1;
      if (isLonger) this.blocks.delete(index);
      if (isLonger || known === undefined || known.next <= to) play(from, to);
      const block = this.blocks.get(index);
      if (block !== undefined) tally.add(block);
      if (isLonger) this.blocks.set(index, known);
      from = to;
    }
    this.latest = { tick, tally };
    return tally;
  }

  private newBlock(next: number): Block {
    const { locations, runs } = this.start;
    const block: Block = {
      locations: new Float64Array(locations.length),
      runs: new Float64Array(runs.length),
      triggers: new Float64Array(triggerTypes.length),
      outputs: new Map(),
      falseOnes: new FalseComparisons(() => block.next),
      approaches: new Approaches(),
      next,
    };
    return block;
  }
}

type Counts = Pick<Block, 'locations' | 'runs' | 'triggers' | 'outputs'>;

function countsOf(sim: Simulation): Counts {
  const { world, runtime } = internalsOf(sim);
  return {
    locations: runtime.counts.slice(),
    runs: runtime.runs.slice(),
    triggers: Float64Array.from(world.triggers.counts),
    outputs: new Map(world.outbox.counts),
  };
}

function addTo(sums: Float64Array, counts: Float64Array, before?: Float64Array): void {
  for (let i = 0; i < sums.length; i++) sums[i]! += counts[i]! - (before?.[i] ?? 0);
}
