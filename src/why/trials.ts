import type { Condition, Simulation } from '../../engine/index.ts';
import { type CompiledScript, inputUnchecked, internalsOf, valueWithHandles } from '../../engine/tools.ts';
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

/** The maximum number of trial plays per answer. */
const trialsMax = 24;
/** How many evaluations of a condition in one tick are tried one by one. */
const evaluationsMax = 6;
/** How many evaluations a trial decides; after that conditions decide as usual, so that loops end. */
const decidedMax = 200;
/** How many ways to start a script are tried: without other changes, and with its conditions made to pass. */
const givenMax = 8;
const gatedMax = 2;
/** How many ticks a trial continues to wait for delayed effects. */
const laterMax = 200;

/**
 * Plays parts of a recorded play again with one thing changed, to find out whether a value would have become different.
 */
export class Trials {
  private left = trialsMax;

  constructor(private readonly reader: PlayReader) {}

  /**
   * Makes conditions pass in a tick. If that makes a difference by the tick `until`, returns a function that finds what
   * the first condition compared; otherwise undefined. `differs` reads the copy that is played.
   */
  passing(tick: number, gates: readonly Gate[], until: number, differs: () => boolean): (() => Met) | undefined {
    const all = new Passing(this.reader, gates);
    if (!this.plays(tick, all, until, differs)) return undefined;
    return () => {
      // If a condition was evaluated several times, finds the evaluation that matters, because the others may have been
      // about other entities.
      for (let only = 1; only <= Math.min(all.evaluations, evaluationsMax) && all.evaluations > 1; only++) {
        const one = new Passing(this.reader, gates, only);
        if (this.plays(tick, one, until, differs)) return one.met(tick);
      }
      return all.met(tick);
    };
  }

  /** Whether the inputs of a tick make a difference if an obstacle is removed from the game before it. */
  mending(
    tick: number,
    mend: (copy: Simulation) => void,
    until: number,
    { differs, isOther }: { readonly differs: () => boolean; readonly isOther: () => boolean },
  ): boolean {
    if (this.left-- <= 0 || tick <= this.reader.first) return false;
    const sim = this.reader.before(tick);
    mend(sim);
    // Removing the obstacle may itself change the value in question, which proves nothing.
    if (isOther()) return false;
    sim.step();
    return this.goesOn(sim, until, differs);
  }

  private plays(tick: number, passing: Passing, until: number, differs: () => boolean): boolean {
    if (this.left-- <= 0) return false;
    const { reader } = this;
    if (tick === reader.first)
      return (
        tick === 0 &&
        this.goesOn(
          reader.started((sim) => passing.watch(sim)),
          until,
          differs,
        )
      );
    const sim = reader.before(tick);
    passing.watch(sim);
    sim.step();
    return this.goesOn(sim, until, differs);
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
    { subject }: Question,
    differs: () => boolean,
  ): Given | undefined {
    for (const [passed, most] of [
      [[], givenMax],
      [gates, gates.length > 0 ? gatedMax : 0],
    ] as const)
      for (let i = 0; i < most && this.left-- > 0; i++) {
        const sim = this.reader.copyAt(tick);
        const given = givensOf(sim, script, subject())[i];
        if (given === undefined) break;
        new Passing(this.reader, passed).watch(sim);
        const { on, payload, meeting: [touching, touched] = [] } = given;
        const { last } = internalsOf(sim).world.memory;
        if (touching !== undefined) last.touchingUnit = touching.entity;
        if (touched !== undefined) last.touchedUnit = touched.entity;
        sim.edit.runScript(script.key, { on, payload });
        if (differs() || (until > tick && this.goesOn(sim, until, differs))) return given;
      }
    return undefined;
  }

  private goesOn(sim: Simulation, until: number, differs: () => boolean): boolean {
    const end = Math.min(until, sim.tick + laterMax);
    while (!differs()) {
      if (sim.tick >= end || sim.ended) return false;
      for (const input of this.reader.journal.inputs.get(sim.tick + 1) ?? []) inputUnchecked(sim, input);
      sim.step();
    }
    return true;
  }
}

/** Makes conditions pass, and records what the first one compared. */
class Passing {
  evaluations = 0;
  private decided = 0;
  private readonly gates: ReadonlyMap<Condition, boolean>;
  private readonly first: Condition | undefined;
  private readonly only: number | undefined;
  private readonly values = new Map<ValueRead['node'], { readonly value: unknown; readonly step: number }>();
  private falseNow: { readonly node: Condition; readonly left: unknown; readonly right: unknown }[] = [];
  private found: Pick<Met, 'falseOnes' | 'reads'> = { falseOnes: [], reads: [] };

  constructor(
    private readonly reader: PlayReader,
    gates: readonly Gate[],
    only?: number,
  ) {
    this.gates = new Map(gates.map(({ condition, wanted }) => [condition, wanted]));
    this.first = gates[0]?.condition;
    this.only = only;
  }

  met(tick: number): Met {
    return { tick, ...this.found };
  }

  watch(sim: Simulation): void {
    internalsOf(sim).runtime.observer = {
      enter() {},
      leave() {},
      value: (node, value) => this.values.set(node, { value, step: 0 }),
      conditionFalse: (node, left, right) => this.falseNow.push({ node, left, right }),
      decides: (condition) => {
        const gate = this.gates.get(condition);
        const wanted = gate !== undefined && this.decided++ < decidedMax ? gate : undefined;
        const falseNow = this.falseNow;
        this.falseNow = [];
        if (condition !== this.first) return wanted;
        this.evaluations++;
        if (this.only !== undefined && this.evaluations !== this.only) return undefined;
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
