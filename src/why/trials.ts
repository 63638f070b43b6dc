import type { Condition, Simulation } from '../../engine/index.ts';
import { type CompiledScript, inputUnchecked, internalsOf, valueWithHandles } from '../../engine/tools.ts';
import type { Given } from './circumstances.ts';
import type { PlayReader } from './play-reader.ts';
import { type Reading, readingOf } from './reading.ts';
import { readsAmong, type ValueRead } from './tick-trace.ts';

/** A condition on the way to an action, and what it has to be. */
export interface Gate {
  readonly condition: Condition;
  readonly wanted: boolean;
}

/** A comparison that was false, with the values of its sides. */
interface FalseSides {
  readonly node: Condition;
  readonly sides: readonly [Reading, Reading];
}

/** What was met at the first gate when it did not pass. */
export interface Met {
  readonly tick: number;
  readonly falseOnes: readonly FalseSides[];
  readonly reads: readonly ValueRead[];
}

/** Plays of one answer. */
const trialsMax = 24;
/** Evaluations of a condition in a tick that are tried one by one. */
const evaluationsMax = 6;
/** Evaluations that a trial decides, so that a loop ends. */
const decidedMax = 200;
/** How far a trial plays on for what runs later. */
const laterMax = 200;

/**
 * Plays parts of a recorded play again, with something else in one point, to find out whether a value would have become
 * another one.
 */
export class Trials {
  private readonly reader: PlayReader;
  private left = trialsMax;

  constructor(reader: PlayReader) {
    this.reader = reader;
  }

  /**
   * Lets conditions pass from a tick on. Finds what the first of them met, if that makes a difference up to another
   * tick.
   * `differs` reads the copy.
   */
  passing(tick: number, gates: readonly Gate[], until: number, differs: () => boolean): (() => Met) | undefined {
    const all = new Passing(this.reader, gates, undefined);
    if (!this.plays(tick, all, until, differs)) return undefined;
    return () => {
      // Which of several evaluations, which may have been about other entities.
      for (let only = 1; only <= Math.min(all.evaluations, evaluationsMax) && all.evaluations > 1; only++) {
        const one = new Passing(this.reader, gates, only);
        if (this.plays(tick, one, until, differs)) return one.met(tick);
      }
      return all.met(tick);
    };
  }

  /** What a condition met when it was first evaluated in a tick. */
  meeting(tick: number, condition: Condition): Met {
    const watching = new Passing(this.reader, [], 1, condition);
    this.plays(tick, watching, tick, () => true);
    return watching.met(tick);
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

  /** Whether running a script between two ticks makes a difference; `gates` pass meanwhile. */
  starting(
    tick: number,
    { key, place }: CompiledScript,
    given: Given,
    gates: readonly Gate[],
    until: number,
    differs: () => boolean,
  ): boolean {
    if (this.left-- <= 0) return false;
    const sim = this.reader.copyAt(tick);
    new Passing(this.reader, gates, undefined).watch(sim);
    const handle = (value: unknown): unknown => (typeof value === 'string' ? sim.find(value) : value);
    const payload = Object.fromEntries(Object.entries(given.payload).map(([member, value]) => [member, handle(value)]));
    const on = place.startsWith('scripts/') || given.on === undefined ? undefined : sim.find(given.on);
    if (!place.startsWith('scripts/') && on === undefined) return false;
    const met = Object.entries(given.last ?? {}).map(([name, id]) => [name, sim.find(id)?.entity ?? 0]);
    Object.assign(internalsOf(sim).world.memory.last, Object.fromEntries(met));
    sim.edit.runScript(key, { on, payload });
    return differs() || (until > tick && this.goesOn(sim, until, differs));
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

/** Lets conditions pass, and notes what the first one was about. */
class Passing {
  evaluations = 0;
  private decided = 0;
  private readonly reader: PlayReader;
  private readonly gates: ReadonlyMap<Condition, boolean>;
  private readonly first: Condition | undefined;
  private readonly only: number | undefined;
  private readonly values = new Map<ValueRead['node'], { readonly value: unknown; readonly step: number }>();
  private falseNow: { readonly node: Condition; readonly left: unknown; readonly right: unknown }[] = [];
  private found: Pick<Met, 'falseOnes' | 'reads'> = { falseOnes: [], reads: [] };

  constructor(reader: PlayReader, gates: readonly Gate[], only: number | undefined, first = gates[0]?.condition) {
    this.reader = reader;
    this.gates = new Map(gates.map(({ condition, wanted }) => [condition, wanted]));
    this.first = first;
    this.only = only;
  }

  met(tick: number): Met {
    return { tick, ...this.found };
  }

  watch(sim: Simulation): void {
    internalsOf(sim).runtime.watcher = {
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
