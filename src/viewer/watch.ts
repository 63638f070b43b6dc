import {
  type Condition,
  playCounts,
  type ScriptWatcher,
  type Simulation,
  scriptsIn,
  watchScripts,
} from '../../engine/index.ts';
import { valueWithHandles } from '../../engine/internal.ts';
import { valueText } from '../expression/value-text.ts';
import { EventTap, type LoggedEvent } from '../run/events.ts';
import { type FalseCondition, ScriptLog } from '../run/script-log.ts';
import { lengthOfValue } from '../run/value-length.ts';

/** For how many ticks events are kept, how many per tick, and how many characters in all. */
const keptTicks = 600;
const keptOfTick = 200;
/** For how many ticks false conditions are kept. */
const keptConditionTicks = 100;
const keptLength = 20_000_000;

/** A script that ran in a tick. */
export interface ScriptRun {
  readonly script: string;
  /** Its source location in the definition. */
  readonly place: string;
  /** How often it ran in that tick, or recently. */
  readonly count: number;
  /** The last tick in which it ran. */
  readonly tick: number;
}

interface Happened {
  readonly events: LoggedEvent[];
  /** See `lengthOfValue`. */
  length: number;
}

/** What happened in the recent ticks of a simulation: events, scripts that ran, false conditions, and the time of each tick. */
export class Watch {
  /** Listeners for the simulation to be created with. Its game must be a variant that reports false conditions. */
  readonly tap = new EventTap((event) => this.take(event));
  private readonly current: () => Simulation;
  /** Events by tick, oldest first. */
  private readonly happened = new Map<number, Happened>();
  private keptLength = 0;
  /** Conditions that were false, by tick. */
  private readonly conditions = new Map<number, ScriptLog>();
  private falseOnes = new ScriptLog(() => this.tick);
  /** Those of all kept ticks, collected when they are shown. */
  private recentConditions: ScriptLog | undefined;
  /** Ticks after this one, up to the current one, are kept. */
  private keptAfter = 0;
  private isRevisiting = false;
  /** Run counts of scripts, by tick and script index. */
  private readonly ran = new Map<number, Map<number, number>>();
  /** The counts of the current tick. */
  private running = new Map<number, number>();
  /** How often each action had run before this tick. */
  private countsBefore = new Float64Array();
  private readonly times = new Map<number, number>();
  private readonly watcher: ScriptWatcher = {
    enter: (kind, index) => {
      if (kind === 'script') this.running.set(index, (this.running.get(index) ?? 0) + 1);
    },
    leave() {},
    conditionFalse: (node, left, right) => this.falseOnes.conditionFalse(node, left, right),
  };

  /** `current`: the simulation, which may become another one, for example a fork of an earlier tick. */
  constructor(current: () => Simulation) {
    this.current = current;
  }

  get sim(): Simulation {
    return this.current();
  }

  get tick(): number {
    return this.sim.tick;
  }

  /** Keeps what happens in the tick that `play` simulates. */
  step(play: () => void): void {
    // Otherwise a tick that is replayed would be listed twice.
    this.forget(this.tick + 1);
    this.running = new Map();
    this.ran.set(this.tick + 1, this.running);
    this.falseOnes = new ScriptLog(() => this.tick);
    this.conditions.set(this.tick + 1, this.falseOnes);
    this.recentConditions = undefined;
    watchScripts(this.sim, this.watcher);
    this.countsBefore = playCounts(this.sim).locations.slice();
    const start = performance.now();
    play();
    this.times.set(this.tick, performance.now() - start);
    this.forget(this.tick - keptTicks);
    this.ran.delete(this.tick - keptTicks);
    this.conditions.delete(this.tick - keptConditionTicks);
    this.times.delete(this.tick - keptTicks);
  }

  /** How often an action ran in this tick, by its source location. */
  countAt(location: number): number {
    return (playCounts(this.sim).locations[location] ?? 0) - (this.countsBefore[location] ?? 0);
  }

  /** Calls `jump`, which simulates ticks that are not kept, and forgets what is listed. */
  skip(jump: () => void): void {
    watchScripts(this.sim, undefined);
    jump();
    this.countsBefore = playCounts(this.sim).locations.slice();
    this.happened.clear();
    this.keptLength = 0;
    this.conditions.clear();
    this.recentConditions = undefined;
    this.ran.clear();
    this.keptAfter = this.tick;
  }

  /** Whether a tick before the current one and what happened around it is kept. */
  keeps(tick: number): boolean {
    return tick > this.keptAfter && tick > this.tick - keptTicks;
  }

  /** Calls `jump`, which goes back to a tick that is kept, and forgets what is later. */
  revisit(jump: () => void): void {
    this.isRevisiting = true;
    jump();
    this.isRevisiting = false;
    this.recentConditions = undefined;
    for (const kept of [this.conditions, this.ran])
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

  /** How long a tick took in this browser; undefined if it was not run recently. */
  readonly tickMs = (tick: number): number | undefined => this.times.get(tick);

  /** The scripts that were started in this tick, most frequent first, including those whose own condition was false. */
  scripts(): readonly ScriptRun[] {
    return this.runsIn(this.tick, this.tick).sort((a, b) => b.count - a.count);
  }

  /** The scripts that were started recently, including this tick, by name. */
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

  private take(event: LoggedEvent): void {
    if (this.isRevisiting) return;
    let of = this.happened.get(event.tick);
    if (of === undefined) {
      of = { events: [], length: 0 };
      this.happened.set(event.tick, of);
    }
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

  private forget(tick: number): void {
    this.keptLength -= this.happened.get(tick)?.length ?? 0;
    this.happened.delete(tick);
  }
}
