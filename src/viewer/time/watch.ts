import { cached } from '../../../engine/core/index.ts';
import {
  type Condition,
  type OutputEvent,
  observeScripts,
  playCounts,
  type ScriptObserver,
  type Simulation,
  scriptsIn,
  type TriggerObserver,
} from '../../../engine/index.ts';
import { valueWithHandles } from '../../../engine/tools.ts';
import { valueText } from '../../expression/index.ts';
import { EventTap, type FalseCondition, type LoggedEvent, lengthOfValue, ScriptLog } from '../../run/index.ts';

/**
 * The limits of the kept events: for how many ticks they are kept, how many per tick, and their total size
 * (`keptLength`, as measured by `lengthOfValue`).
 */
const keptTicks = 600;
const keptOfTick = 200;
/** For how many ticks false conditions are kept. */
const keptConditionTicks = 100;
const keptLength = 20_000_000;

/** The runs of a script. */
export interface ScriptRun {
  readonly script: string;
  /** The source location of the script in the definition. */
  readonly place: string;
  /** How often the script ran in the period of the list: one tick, or all recent ticks. */
  readonly count: number;
  /** The last tick in which the script ran. */
  readonly tick: number;
}

interface Happened {
  readonly events: LoggedEvent[];
  /** The size of the events, as measured by `lengthOfValue`. */
  length: number;
}

/**
 * Records the recent ticks of a simulation: events, scripts that ran, and false conditions.
 */
export class Watch {
  private readonly tap = new EventTap((event) => this.take(event));
  /** Options for creating the simulation. Its game must be compiled so that it reports false conditions. */
  readonly listeners = {
    observer: (...fired: Parameters<TriggerObserver>) => {
      if (!this.isSkipping) this.tap.observer(...fired);
    },
    onOutput: (event: OutputEvent) => {
      if (!this.isSkipping) this.tap.output(event);
    },
  };
  /** The events of each tick, oldest first. */
  private readonly happened = new Map<number, Happened>();
  private keptLength = 0;
  /** Conditions that were false, by tick. */
  private readonly conditions = new Map<number, ScriptLog>();
  private falseOnes = new ScriptLog(() => 0);
  /** The false conditions of all kept ticks together. Collected only when they are shown. */
  private recentConditions: ScriptLog | undefined;
  /** The records of all ticks after this one, up to the current one, are kept. */
  private keptAfter = 0;
  /** Whether the ticks that are simulated now are not recorded. */
  private isSkipping = false;
  /** How often each script ran, by tick and script index. */
  private readonly ran = new Map<number, Map<number, number>>();
  /** The counts of the current tick. */
  private running = new Map<number, number>();
  /** How often actions ran, by tick and source location. */
  private readonly actions = new Map<number, Map<number, number>>();
  private readonly observer: ScriptObserver = {
    enter: (kind, index) => {
      if (kind === 'script') this.running.set(index, (this.running.get(index) ?? 0) + 1);
    },
    leave() {},
    conditionFalse: (node, left, right) => this.falseOnes.conditionFalse(node, left, right),
  };

  /**
   * `current` returns the simulation, which may be replaced by another one, for example by a fork of an earlier tick.
   */
  constructor(private readonly current: () => Simulation) {}

  get sim(): Simulation {
    return this.current();
  }

  get tick(): number {
    return this.sim.tick;
  }

  /** Records the tick that `play` simulates. Returns the simulation that `play` returns. */
  step(sim: Simulation, play: () => Simulation): Simulation {
    const tick = sim.tick + 1;
    // The tick may be replayed, and must not be listed twice.
    this.forget(tick);
    this.running = new Map();
    this.ran.set(tick, this.running);
    this.falseOnes = new ScriptLog(() => tick);
    this.conditions.set(tick, this.falseOnes);
    this.recentConditions = undefined;
    observeScripts(sim, this.observer);
    this.tap.sim = sim;
    const before = playCounts(sim).locations.slice();
    const after = play();
    const actions = new Map<number, number>();
    playCounts(after).locations.forEach((count, location) => {
      if (count > before[location]!) actions.set(location, count - before[location]!);
    });
    this.actions.set(tick, actions);
    this.forget(this.tick - keptTicks);
    this.ran.delete(this.tick - keptTicks);
    this.conditions.delete(this.tick - keptConditionTicks);
    this.actions.delete(this.tick - keptTicks);
    return after;
  }

  /** How often the action at a source location ran in this tick. */
  countAt(location: number): number {
    return this.actions.get(this.tick)?.get(location) ?? 0;
  }

  /** Calls `jump`, which simulates ticks without recording them. All earlier records are dropped. */
  skip(jump: () => void) {
    observeScripts(this.sim, undefined);
    this.unseen(jump);
    this.happened.clear();
    this.keptLength = 0;
    this.conditions.clear();
    this.recentConditions = undefined;
    this.ran.clear();
    this.actions.clear();
    this.keptAfter = this.tick;
  }

  /** Whether the records of a tick are kept. */
  keeps(tick: number): boolean {
    return tick > this.keptAfter && tick > this.tick - keptTicks;
  }

  /** Whether the false conditions of a tick are kept, too. */
  knows(tick: number): boolean {
    return this.conditions.has(tick);
  }

  /** Extends the range of kept ticks. Call it after `step` was called for ticks before that range. */
  filled() {
    while (this.ran.has(this.keptAfter)) this.keptAfter--;
  }

  /** Calls `jump`, which goes back to a kept tick. Records of later ticks are dropped. */
  revisit(jump: () => void) {
    this.unseen(jump);
    this.recentConditions = undefined;
    for (const kept of [this.conditions, this.ran, this.actions])
      for (const tick of kept.keys()) if (tick > this.tick) kept.delete(tick);
    for (const tick of [...this.happened.keys()]) if (tick > this.tick) this.forget(tick);
  }

  /** The events of one kind up to this tick, newest first. */
  events(kind: LoggedEvent['event'], countMax: number): readonly LoggedEvent[] {
    const found: LoggedEvent[] = [];
    for (let tick = this.tick; tick > this.tick - keptTicks && tick >= 0; tick--) {
      const events = this.happened.get(tick)?.events ?? [];
      for (let i = events.length - 1; i >= 0; i--) {
        if (events[i]!.event === kind) found.push(events[i]!);
        if (found.length >= countMax) return found;
      }
    }
    return found;
  }

  /** The scripts that were started in this tick, most frequent first, including those whose own condition was false. */
  scripts(): readonly ScriptRun[] {
    return this.runsIn(this.tick, this.tick).sort((a, b) => b.count - a.count);
  }

  /** The scripts that were started recently, including this tick, sorted by name. */
  recentScripts(): readonly ScriptRun[] {
    return this.runsIn(this.tick - keptTicks + 1, this.tick).sort((a, b) => (a.script < b.script ? -1 : 1));
  }

  private runsIn(first: number, last: number): ScriptRun[] {
    const { scripts } = scriptsIn(this.sim);
    const found = new Map<number, { count: number; tick: number }>();
    for (const [tick, runs] of this.ran) {
      if (tick < first || tick > last) continue;
      for (const [index, count] of runs) {
        const before = found.get(index);
        found.set(index, { count: count + (before?.count ?? 0), tick: Math.max(tick, before?.tick ?? 0) });
      }
    }
    return [...found].map(([index, run]) => ({ script: scripts[index]!.name, place: scripts[index]!.place, ...run }));
  }

  /** Conditions that were recently false, newest first, with the values of their operands. */
  falseConditions(countMax: number): readonly FalseCondition[] {
    return this.falseConditionsKept().last(countMax, new Set(), this.print);
  }

  /** The comparisons of a condition that were recently false, innermost first. */
  falseIn(condition: Condition): readonly FalseCondition[] {
    return this.falseConditionsKept().inside(condition, this.print);
  }

  private falseConditionsKept(): ScriptLog {
    if (this.recentConditions === undefined) {
      this.recentConditions = new ScriptLog(() => this.tick);
      for (const each of this.conditions.values()) this.recentConditions.add(each);
    }
    return this.recentConditions;
  }

  private readonly print = (value: unknown): string => valueText(this.sim, valueWithHandles(this.sim, value));

  private unseen(jump: () => void) {
    this.isSkipping = true;
    jump();
    this.isSkipping = false;
  }

  private take(event: LoggedEvent) {
    const of = cached(this.happened, event.tick, () => ({ events: [], length: 0 }));
    if (of.events.length >= keptOfTick) return;
    of.events.push(event);
    const length = lengthOfValue(event.details);
    of.length += length;
    this.keptLength += length;
    for (const tick of this.happened.keys()) {
      if (this.keptLength <= keptLength || tick === event.tick) return;
      this.forget(tick);
    }
  }

  private forget(tick: number) {
    this.keptLength -= this.happened.get(tick)?.length ?? 0;
    this.happened.delete(tick);
  }
}
