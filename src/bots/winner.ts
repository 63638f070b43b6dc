import { EntityReader, type Simulation } from '../../engine/index.ts';
import { noEntity } from '../../engine/tools.ts';
import type { Measure } from '../expression/index.ts';

const decisionSeconds = 0.5;
const lookSeconds = 0.25;
/**
 * Maximum number of seconds that a winner looks ahead. After each second, the worse half of the options is dropped,
 * except for ties. Of six options, only equally good ones are therefore simulated for longer than three seconds.
 */
const steps = 6;

/** The members of `Bots` that a winner uses. */
interface BotsOfPlay {
  beforeStep(): void;
  copyIn(fork: Simulation, seed: string): BotsOfPlay;
  isPlaying(index: number): boolean;
  reconsider(index: number, seed: string): void;
}

/**
 * How good a future is. A future with fewer samples without a value of the objective is better; if the numbers are
 * equal, the one with the larger sum of values.
 */
interface Worth {
  missing: number;
  sum: number;
}

/** A fork of the game in which copies of all bots play on. */
interface Future {
  readonly sim: Simulation;
  readonly bots: BotsOfPlay;
  /** The index of the option that the bot takes. With option 0, it keeps its goal. */
  readonly way: number;
  readonly worth: Worth;
}

interface WinnerOptions {
  readonly sim: Simulation;
  readonly bots: BotsOfPlay;
  readonly index: number;
  readonly clientId: string;
  readonly objective: Measure;
  readonly tries: number;
  readonly seed: string;
}

/**
 * Plans for a bot that plays to win. Twice a second, it simulates forks of the game a few seconds ahead, with another
 * option of its bot in each, and takes the option with the best objective. Forks are reseeded, and the other bots
 * choose anew in them, so that the winner does not know its random numbers or what others will do.
 */
export class Winner {
  private readonly reader: EntityReader;
  private nextTick = 0;

  constructor(private readonly options: WinnerOptions) {
    this.reader = new EntityReader(options.sim);
  }

  /**
   * Plans the next moves of the bot if a decision is due. Must be called before each step. Returns whether the winner
   * has decided.
   */
  beforeStep(): boolean {
    const { sim, bots, index, seed, clientId, tries } = this.options;
    if (sim.tick < this.nextTick || !bots.isPlaying(index)) return false;
    const player = this.reader.playerOf(clientId);
    // Without a unit, a bot can only answer prompts, so there is nothing to plan.
    if (player === noEntity || !this.reader.is(this.reader.selectedUnit(player), 'unit')) return false;
    this.nextTick = sim.tick + Math.max(1, Math.round(decisionSeconds * sim.rate));
    const seedHere = `${seed}/${sim.tick}`;
    let futures: Future[] = Array.from({ length: tries }, (_, way) => {
      // All forks have the same seed, so that they differ only by what the bot does.
      const fork = sim.fork({ reseed: seedHere });
      const future = { sim: fork, bots: bots.copyIn(fork, seedHere), way, worth: { missing: 0, sum: 0 } };
      if (way > 0) future.bots.reconsider(index, waySeed(seedHere, way));
      return future;
    });
    for (let step = 0; step < steps && futures.length > 1; step++) {
      for (const future of futures) this.play(future);
      futures.sort(byWorth);
      const half = futures[Math.ceil(futures.length / 2) - 1]!;
      futures = futures.filter((each) => byWorth(each, half) <= 0);
    }
    const { way } = futures[0]!;
    if (way > 0) bots.reconsider(index, waySeed(seedHere, way));
    return true;
  }

  /** Simulates a future for another second. In a game that has ended, the objective keeps its last value. */
  private play({ sim, bots, worth }: Future) {
    const { objective, clientId } = this.options;
    const lookTicks = Math.max(1, Math.round(lookSeconds * sim.rate));
    for (let i = 1; i <= Math.round(sim.rate); i++) {
      if (!sim.ended) {
        bots.beforeStep();
        sim.step();
      }
      if (i % lookTicks !== 0) continue;
      const player = new EntityReader(sim).playerOf(clientId);
      const value = player === noEntity ? undefined : objective(sim, player);
      if (value === undefined) worth.missing++;
      else worth.sum += value;
    }
  }
}

function waySeed(seed: string, way: number) {
  return `${seed}/way ${way}`;
}

function byWorth({ worth: a }: Future, { worth: b }: Future) {
  return a.missing - b.missing || b.sum - a.sum;
}
