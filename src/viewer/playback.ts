import { type Journal, type LoadedGame, Replay, type Simulation } from '../../engine/index.ts';
import { EventTap, type LoggedEvent } from '../run/events.ts';

/** Ticks whose events are kept, and how many of each tick. */
const keptTicks = 600;
const keptOfTick = 200;
/** After a jump so many ticks are played, so that there is something to list. */
const leadTicks = 30;

/** A journal at one of its ticks, with what happened in the ticks before. */
export class Playback {
  readonly replay: Replay;
  readonly startTick: number;
  private readonly happened = new Map<number, LoggedEvent[]>();

  /** Throws `ReplayError` for a journal that the game cannot play. */
  constructor(loaded: LoadedGame, journal: Journal) {
    const tap = new EventTap((event) => this.take(event));
    this.replay = new Replay(loaded, journal, { observer: tap.observer, onOutput: tap.output });
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
    this.replay.step();
    this.happened.delete(this.tick - keptTicks);
  }

  /** Goes to a tick, or to the nearest that there is. */
  seek(tick: number): void {
    const wanted = Math.min(this.lastTick, Math.max(this.startTick, Math.round(tick)));
    if (wanted < this.tick || wanted > this.tick + leadTicks) {
      this.replay.seek(Math.max(this.startTick, wanted - leadTicks));
      this.happened.clear();
    }
    while (this.tick < wanted && !this.isAtEnd) this.step();
  }

  /** What happened up to this tick, newest first, of one kind. */
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

  private take(event: LoggedEvent): void {
    const events = this.happened.get(event.tick);
    if (events === undefined) this.happened.set(event.tick, [event]);
    else if (events.length < keptOfTick) events.push(event);
  }
}
