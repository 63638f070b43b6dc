import {
  type Action,
  type AnyHandle,
  type Condition,
  type Definition,
  EntityHandle,
  type Simulation,
  UsageError,
} from '../../engine/index.ts';
import {
  applyEdit,
  type CompiledScript,
  inputUnchecked,
  internalsOf,
  LoadedGame,
  valueWithHandles,
} from '../../engine/tools.ts';
import type { PlayReader } from './play-reader.ts';
import { type Question, type Reading, readingOf } from './reading.ts';
import { type Given, givensOf } from './starts.ts';
import { readsAmong, type ValueRead } from './tick-trace.ts';

/** A condition on the way to an action, and the result that it needs. */
export interface Gate {
  readonly condition: Condition;
  readonly wanted: boolean;
}

/** A comparison that was false, with the values of its sides. */
interface FalseSides {
  readonly node: Condition;
  readonly sides: readonly [Reading, Reading];
}

/**
 * The findings at the moment when the first gate did not pass: the tick, the false comparisons, and the values that
 * were read.
 */
export interface Met {
  readonly tick: number;
  readonly falseOnes: readonly FalseSides[];
  readonly reads: readonly ValueRead[];
}

/** What a trial is expected to change. */
interface Aim {
  /** The value in the simulation that questions read, as a key. */
  readonly key: () => unknown;
  /** Makes the value after a tick of the play the one with which `differs` compares. */
  readonly compareWith: (tick: number) => void;
  /**
   * Whether the value differs from the one in the play; if the question says what was expected, whether it is nearer to
   * that.
   */
  readonly differs: () => boolean;
  /** Whether the value differs from the one in the play, even if it is farther from what was expected. */
  readonly isOther: () => boolean;
  /** Whether the expectation is fulfilled; always true without one. */
  readonly isMet: () => boolean;
  /** For questions about outputs by their details: called with each output of a trial. */
  readonly hears: Question['hears'];
  /** The entity to which the value belongs, in the simulation that questions read. */
  readonly subject: () => AnyHandle | undefined;
}

/** How many ticks of how many entities may be played with other definitions per answer; a start counts like 3,000. */
export const effortMax = 300_000;
/** The maximum number of trial plays per answer. */
const trialsMax = 40;
const startsMax = 100;
/**
 * For how many evaluations a trial decides whether a condition passes. Later evaluations are not changed, so that loops
 * end.
 */
const decidedMax = 200;
/**
 * The maximum number of ways to start a script that are tried: without other changes, and with its conditions made to
 * pass.
 */
const givenMax = 8;
const gatedMax = 2;
/** How many ticks a trial continues at most to wait for delayed effects. */
const laterMax = 1200;

/**
 * Plays parts of a recorded play again with one thing changed, to find out whether a value would have become different.
 * `writer`: the action that has to make the difference; without it, anything may.
 */
export class Trials {
  private left = trialsMax;

  /** `budget`: the effort that trials with other definitions may still take. */
  constructor(
    private readonly reader: PlayReader,
    private readonly aim: Aim,
    private readonly budget: { effort: number },
  ) {}

  /**
   * Makes conditions pass in a tick. If that makes a difference by the tick `until`, returns what the first condition
   * compared.
   */
  passing(tick: number, gates: readonly Gate[], until: number, writer?: Action): Met | undefined {
    const { reader, aim } = this;
    if (!this.begins(tick) || (tick === reader.first && tick > 0)) return undefined;
    const passing = new Passing(reader, gates, aim, writer);
    const sim = tick === 0 ? reader.started((started) => passing.watch(started)) : reader.before(tick);
    if (tick > 0) {
      passing.watch(sim);
      sim.step();
    }
    this.edit(sim);
    return this.goesOn(sim, until, passing) ? { tick, ...passing.found } : undefined;
  }

  /** Whether the inputs of a tick make a difference if an obstacle is removed from the game before that tick. */
  mending(tick: number, mend: (copy: Simulation) => void, until: number): boolean {
    if (tick <= this.reader.first || !this.begins(tick)) return false;
    const sim = this.reader.before(tick);
    mend(sim);
    // Removing the obstacle may itself change the value in question, which proves nothing.
    if (this.aim.isOther()) return false;
    sim.step();
    this.edit(sim);
    return this.goesOn(sim, until);
  }

  /** Whether a play from the start to a tick is within the budget, which long plays of many entities are not. */
  hasEffortTo(tick: number): boolean {
    return this.reader.first === 0 && this.effortTo(tick) <= this.budget.effort;
  }

  private effortTo(tick: number) {
    const sim = this.reader.go(tick);
    return 3000 + tick * (sim.units().length + sim.items().length + 20);
  }

  /**
   * Whether the play of a game with another definition makes the difference at the end of a tick, and whether the
   * expectation is then fulfilled.
   */
  repairing(definition: Definition, tick: number): 'fulfilled' | 'nearer' | undefined {
    const { reader, aim, budget } = this;
    if (!this.hasEffortTo(tick)) return undefined;
    budget.effort -= this.effortTo(tick);
    aim.compareWith(tick);
    const sim = reader.started((started) => {
      if (aim.hears !== undefined) started.on('output', aim.hears);
    }, new LoadedGame(definition));
    this.edit(sim);
    while (sim.tick < tick && !sim.ended) this.step(sim);
    if (!aim.differs()) return undefined;
    return aim.isMet() ? 'fulfilled' : 'nearer';
  }

  /**
   * Runs a script after a tick, with entities that could start it: first as it is, and then with its conditions made to
   * pass. Returns the entities and values with which this made a difference; undefined if there are none.
   */
  starting(
    tick: number,
    script: CompiledScript,
    gates: readonly Gate[],
    until: number,
    writer?: Action,
  ): Given | undefined {
    for (const [passed, most] of [
      [[], givenMax],
      [gates, gates.length > 0 ? gatedMax : 0],
    ] as const)
      for (let i = 0; i < most && this.begins(tick); i++) {
        const sim = this.reader.copyAt(tick);
        const given = givensOf(sim, script, this.aim.subject())[i];
        if (given === undefined) break;
        const passing = new Passing(this.reader, passed, this.aim, writer);
        passing.watch(sim);
        const { on, payload, meeting: [touching, touched] = [] } = given;
        const { last } = internalsOf(sim).world.memory;
        if (touching !== undefined) last.touchingUnit = touching.entity;
        if (touched !== undefined) last.touchedUnit = touched.entity;
        if (payload['unit'] instanceof EntityHandle) last.castingUnit = payload['unit'].entity;
        sim.edit.runScript(script.key, { on, payload });
        if (this.goesOn(sim, until, passing)) return given;
      }
    return undefined;
  }

  /** Begins with the trials that start scripts. They are cheaper, because most of them play no tick. */
  beginStarts() {
    this.left = startsMax;
  }

  /** Repeats what a test or tool changed after the last tick, as far as that is possible in the trial. */
  private edit(sim: Simulation) {
    for (const edit of this.reader.journal.edits.get(sim.tick) ?? [])
      try {
        applyEdit(sim, edit);
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
      }
  }

  private begins(tick: number) {
    if (this.left-- <= 0) return false;
    this.aim.compareWith(tick);
    return true;
  }

  private goesOn(sim: Simulation, until: number, passing?: Passing) {
    const end = Math.min(until, sim.tick + laterMax);
    while (!this.aim.differs() || passing?.isWritten === false) {
      if (sim.tick >= end || sim.ended) return false;
      this.step(sim);
    }
    return true;
  }

  private step(sim: Simulation) {
    for (const input of this.reader.journal.inputs.get(sim.tick + 1) ?? []) inputUnchecked(sim, input);
    sim.step();
    this.edit(sim);
  }
}

/**
 * Makes conditions pass. Also records the values that the first of these conditions compared when it last stood in the
 * way before the writer wrote.
 */
class Passing {
  found: Pick<Met, 'falseOnes' | 'reads'> = { falseOnes: [], reads: [] };
  /** Whether the writer has changed the value; also true without a writer. */
  isWritten: boolean;
  private decided = 0;
  private depth = 0;
  private readonly gates: ReadonlyMap<Condition, boolean>;
  private readonly first: Condition | undefined;
  private readonly values = new Map<ValueRead['node'], { readonly value: unknown; readonly step: number }>();
  private falseNow: { readonly node: Condition; readonly left: unknown; readonly right: unknown }[] = [];
  /** The runs of the writer in progress: their depths, and the values before them. */
  private readonly runs: { readonly depth: number; readonly key: unknown }[] = [];

  constructor(
    private readonly reader: PlayReader,
    gates: readonly Gate[],
    private readonly aim: Aim,
    private readonly writer: Action | undefined,
  ) {
    this.gates = new Map(gates.map(({ condition, wanted }) => [condition, wanted]));
    this.first = gates[0]?.condition;
    this.isWritten = writer === undefined;
  }

  watch(sim: Simulation) {
    const { runs, aim } = this;
    internalsOf(sim).runtime.observer = {
      enter: (kind, index) => {
        this.depth++;
        if (kind === 'action' && index === this.writer?.location) runs.push({ depth: this.depth, key: aim.key() });
      },
      leave: () => {
        if (runs.at(-1)?.depth === this.depth && !Object.is(runs.pop()!.key, aim.key())) this.isWritten = true;
        this.depth--;
      },
      value: (node, value) => this.values.set(node, { value, step: 0 }),
      conditionFalse: (node, left, right) => this.falseNow.push({ node, left, right }),
      decides: (condition) => {
        const gate = this.gates.get(condition);
        const wanted = gate !== undefined && this.decided++ < decidedMax ? gate : undefined;
        const falseNow = this.falseNow;
        this.falseNow = [];
        const isPast = this.writer !== undefined && this.isWritten;
        // An evaluation that passed anyway did not stand in the way.
        if (condition !== this.first || isPast || (wanted === true && falseNow.length === 0)) return wanted;
        const { source } = this.reader;
        const reading = (value: unknown): Reading => readingOf(sim, valueWithHandles(sim, value), source);
        this.found = {
          falseOnes: falseNow.map(({ node, left, right }) => ({ node, sides: [reading(left), reading(right)] })),
          reads: readsAmong(sim, this.values, source),
        };
        return wanted;
      },
    };
  }
}
