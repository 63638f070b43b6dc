import { type Journal, type LoadedGame, type Payload, Replay, type Simulation } from '../../engine/index.ts';
import { type TickTracer, timersOf, trace } from '../../engine/tools.ts';

/** What led to a timer. */
interface TimerOrigin {
  readonly tick: number;
  /** The sequence number of the timer. */
  readonly timer: number;
  /** The list of actions that it runs. */
  readonly job: number;
  /** The sequence number of the timer whose actions started it; undefined if none did. */
  readonly startedBy: number | undefined;
}

/**
 * Finds what led to each timer of a play by playing it once, because following a chain of timers back costs a search
 * for each.
 */
export class TimerOrigins {
  private readonly replay: Replay;
  private readonly origins = new Map<number, TimerOrigin>();
  private traced: TimerTrace | undefined;

  constructor(game: LoadedGame, journal: Journal) {
    this.replay = new Replay(game, journal, {
      keyframeTicks: Number.MAX_SAFE_INTEGER,
      // The first timers start while the simulation is constructed.
      observer: (_trigger, _scope, _entity, _payload, sim) => this.follow(sim),
    });
    this.follow(this.replay.sim);
  }

  /** A timer that started up to a tick, the timer that led to it, and so on. */
  chainOf(timer: number, tick: number): readonly TimerOrigin[] {
    while (this.replay.tick < tick && !this.replay.sim.ended) {
      this.replay.step();
      this.follow(this.replay.sim);
    }
    const chain: TimerOrigin[] = [];
    for (let at = this.origins.get(timer); at !== undefined; at = this.origins.get(at.startedBy ?? -1)) chain.push(at);
    return chain;
  }

  /** The list of actions that a timer runs; known for timers that started up to a tick of which a chain was asked. */
  jobOf(timer: number): number | undefined {
    return this.origins.get(timer)?.job;
  }

  /** An edit goes on with another simulation. */
  private follow(sim: Simulation): void {
    if (this.traced?.sim === sim) return;
    this.traced = new TimerTrace(sim, this.origins, this.traced?.next);
    trace(sim, this.traced);
  }
}

/** Notes the timers that start, and the timer in progress. */
class TimerTrace implements TickTracer {
  readonly sim: Simulation;
  /** The sequence number of the next timer. */
  next: number;
  private readonly origins: Map<number, TimerOrigin>;
  /** The timers of what is in progress, innermost last. */
  private readonly open: (number | undefined)[] = [];
  private readonly queuedBy = new Map<Payload, number | undefined>();
  private payload: Payload = {};

  /** `next`: the first timer whose origin is unknown. */
  constructor(sim: Simulation, origins: Map<number, TimerOrigin>, next = timersOf(sim).sequence) {
    this.sim = sim;
    this.origins = origins;
    this.next = next;
    this.note();
  }

  system(name: string): void {
    this.note();
    this.open.length = 0;
    // Queued triggers are delivered in their tick.
    if (name === 'inputs') this.queuedBy.clear();
  }

  timer(sequence: number): void {
    this.note();
    this.open.push(sequence);
  }

  enter(kind: 'trigger' | 'script' | 'action'): void {
    const isQueued = kind === 'trigger' && this.queuedBy.has(this.payload);
    this.open.push(isQueued ? this.queuedBy.get(this.payload) : this.open.at(-1));
  }

  rule(): void {
    this.open.push(this.open.at(-1));
  }

  leave(): void {
    this.note();
    this.open.pop();
  }

  queued(_trigger: unknown, payload: Payload): void {
    this.queuedBy.set(payload, this.open.at(-1));
  }

  fired(_trigger: unknown, _entity: unknown, payload: Payload): void {
    this.payload = payload;
  }

  turn(): void {}

  private note(): void {
    const { heap, sequence } = timersOf(this.sim);
    if (sequence === this.next) return;
    for (const timer of heap)
      if (timer.sequence >= this.next)
        this.origins.set(timer.sequence, {
          tick: this.sim.tick,
          timer: timer.sequence,
          job: timer.rounds?.job ?? timer.job,
          startedBy: this.open.at(-1),
        });
    this.next = sequence;
  }
}
