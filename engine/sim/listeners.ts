import { EventEmitter, type StopListening } from '../core/emitter.ts';
import { messageOf } from '../core/error-message.ts';
import { unknownWord } from '../core/usage-error.ts';
import type { Fault } from '../world/faults.ts';
import type { OutputEvent } from '../world/outbox.ts';
import { requireListener } from './argument-checks.ts';
import type { Input, Refused } from './input.ts';
import type { Phase, TickSystem } from './schedule.ts';
import type { PhaseListener } from './tick.ts';

/** An error thrown by a listener. The tick continued as if it had not been thrown. */
export interface ListenerFailure {
  /** What the listener was added for: an event, triggers, or the phases of a tick. */
  readonly listener: Exclude<keyof SimulationEvents, 'error'> | 'trigger' | 'phase';
  readonly error: unknown;
  readonly tick: number;
}

/** The events of a simulation with their argument types. */
export type SimulationEvents = {
  output: OutputEvent;
  /** The first fault of each code and source location. */
  fault: Fault;
  /** An input had no effect. */
  refused: { readonly input: Input } & Refused;
  tick: number;
  /**
   * A listener threw an error. If nothing listens to this event, the API call during which the error was thrown throws
   * it at its end.
   */
  error: ListenerFailure;
};

const eventNames: readonly string[] = Object.keys({
  output: 0,
  fault: 0,
  refused: 0,
  tick: 0,
  error: 0,
} satisfies Record<keyof SimulationEvents, 0>);

/** The listeners of a simulation. An error in one affects neither the game nor the other listeners. */
export class Listeners {
  private readonly emitter = new EventEmitter<SimulationEvents>((event, error) => this.failed(event, error));
  /** Errors thrown by listeners while nothing listened to `error`. They are thrown at the end of the current call. */
  private readonly failures: unknown[] = [];
  private phaseListener: PhaseListener | undefined;
  private phase: Phase | undefined;

  constructor(private readonly tick: () => number) {}

  /** Adds a listener; returns a function that removes it. Throws if the event does not exist. */
  on<E extends keyof SimulationEvents>(event: E, listener: (detail: SimulationEvents[E]) => void): StopListening {
    if (!eventNames.includes(event)) throw unknownWord('unknown-event', 'event', event, eventNames);
    requireListener(listener);
    return this.emitter.on(event, listener);
  }

  emit<E extends keyof SimulationEvents>(event: E, detail: SimulationEvents[E]): void {
    this.emitter.emit(event, detail);
  }

  /** Sets the only phase listener; undefined removes it. */
  observePhases(listener: PhaseListener | undefined): void {
    if (listener !== undefined) requireListener(listener);
    this.phaseListener = listener && this.isolate('phase', listener);
  }

  /** Must be called when a system of a tick begins; undefined if there is no phase listener. */
  get systemBegins(): ((system: TickSystem) => void) | undefined {
    return this.phaseListener && this.reportPhase;
  }

  private readonly reportPhase = ({ phase }: TickSystem) => {
    if (phase === this.phase) return;
    this.phase = phase;
    this.phaseListener?.(phase);
  };

  /** Must be called when all systems of a tick have run. */
  idle(): void {
    this.phaseListener?.('idle');
    this.phase = undefined;
  }

  /** Wraps an observer, so that its errors are not mistaken for those of a script. */
  isolate<A extends readonly unknown[]>(
    listener: 'trigger' | 'phase',
    call: (...details: A) => void,
  ): (...details: A) => void {
    return (...details) => {
      try {
        call(...details);
      } catch (error) {
        this.failed(listener, error);
      }
    };
  }

  /** Must be called at the end of every API call that runs the game. */
  throwFailures(): void {
    if (this.failures.length === 0) return;
    const errors = this.failures.splice(0);
    const first = messageOf(errors[0]);
    throw new AggregateError(
      errors,
      `Listeners threw ${errors.length} times in tick ${this.tick()}. The first: ${first}`,
    );
  }

  private failed(listener: ListenerFailure['listener'] | 'error', error: unknown) {
    if (listener === 'error' || !this.emitter.listens('error')) this.failures.push(error);
    else this.emitter.emit('error', { listener, error, tick: this.tick() });
  }
}
