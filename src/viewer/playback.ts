import { type Journal, type LoadedGame, Replay, type Simulation } from '../../engine/index.ts';
import { insideOf, insideOfGame, type ScriptWatcher, valueWithHandles } from '../../engine/internal.ts';
import { valueText } from '../expression/value-text.ts';
import { EventTap, type LoggedEvent } from '../run/events.ts';
import { type FalseCondition, ScriptLog } from '../run/script-log.ts';

/** Ticks whose events are kept, and how many of each tick. */
const keptTicks = 600;
const keptOfTick = 200;
/** After a jump so many ticks are played, so that there is something to list. */
const leadTicks = 30;

/** A script that ran in a tick. */
export interface ScriptRun {
  readonly script: string;
  /** Where it stands in the definition. */
  readonly place: string;
  readonly count: number;
}

/** A journal at one of its ticks, with what happened in the ticks before. */
export class Playback {
  readonly replay: Replay;
  readonly startTick: number;
  private readonly happened = new Map<number, LoggedEvent[]>();
  private readonly conditions = new ScriptLog(() => this.tick);
  /** How often each script ran in the tick that was played last, by script index. */
  private readonly ran = new Map<number, number>();
  private readonly times = new Map<number, number>();
  private readonly watcher: ScriptWatcher = {
    enter: (kind, index) => {
      if (kind === 'script') this.ran.set(index, (this.ran.get(index) ?? 0) + 1);
    },
    leave() {},
    conditionFalse: (node, left, right) => this.conditions.conditionFalse(node, left, right),
  };

  /** Throws `ReplayError` for a journal that the game cannot play. */
  constructor(loaded: LoadedGame, journal: Journal) {
    const tap = new EventTap((event) => this.take(event));
    // The same game, which says as well which conditions are false.
    const watched = insideOfGame(loaded).watched('conditions');
    this.replay = new Replay(watched, journal, { observer: tap.observer, onOutput: tap.output });
    this.startTick = this.replay.tick;
  }

  get sim(): Simulation {
    return this.replay.sim;
  }

  get tick(): number {
    return this.replay.tick;
  }

  get lastTick(): number {
    return this.replay.journal.lastTick;
  }

  get isAtEnd(): boolean {
    return this.replay.isAtEnd;
  }

  step(): void {
    if (this.isAtEnd) return;
    // A tick that is played again would otherwise be listed twice.
    this.happened.delete(this.tick + 1);
    this.ran.clear();
    // Going back makes another simulation.
    insideOf(this.sim).runtime.watcher = this.watcher;
    const start = performance.now();
    this.replay.step();
    this.times.set(this.tick, performance.now() - start);
    this.happened.delete(this.tick - keptTicks);
    this.times.delete(this.tick - keptTicks);
  }

  /** Goes to a tick, or to the nearest that there is. */
  seek(tick: number): void {
    const wanted = Math.min(this.lastTick, Math.max(this.startTick, Math.round(tick)));
    if (wanted < this.tick || wanted > this.tick + leadTicks) {
      this.replay.seek(Math.max(this.startTick, wanted - leadTicks));
      this.happened.clear();
      this.conditions.clear();
      this.ran.clear();
    }
    while (this.tick < wanted && !this.isAtEnd) this.step();
  }

  /** The events of one kind up to this tick, newest first. */
  events(kind: LoggedEvent['event'], countMax: number): readonly LoggedEvent[] {
    const found: LoggedEvent[] = [];
    for (let tick = this.tick; tick > this.tick - keptTicks && tick >= this.startTick; tick--) {
      const events = this.happened.get(tick) ?? [];
      for (let i = events.length - 1; i >= 0; i--) {
        if (events[i]!.event === kind) found.push(events[i]!);
        if (found.length >= countMax) return found;
      }
    }
    return found;
  }

  /** How long a tick took here; undefined for one that was not played of late. */
  readonly tickMs = (tick: number): number | undefined => this.times.get(tick);

  /** The scripts that were started in this tick, most often first; those whose own condition was false included. */
  scripts(): readonly ScriptRun[] {
    const { scripts } = insideOf(this.sim).runtime.program;
    return [...this.ran]
      .map(([index, count]) => ({ script: scripts[index]!.name, place: scripts[index]!.place, count }))
      .sort((a, b) => b.count - a.count);
  }

  /** Conditions that were false of late, newest first, with the values of their sides. */
  falseConditions(countMax: number): readonly FalseCondition[] {
    return this.conditions.last(countMax, new Set(), (value) => valueText(this.sim, valueWithHandles(this.sim, value)));
  }

  private take(event: LoggedEvent): void {
    const events = this.happened.get(event.tick);
    if (events === undefined) this.happened.set(event.tick, [event]);
    else if (events.length < keptOfTick) events.push(event);
  }
}
