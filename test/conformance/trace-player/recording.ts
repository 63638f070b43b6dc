import type { StateView, ValueView } from '../../../engine/index.ts';

/** The result of a case in our engine, in the form of recordings. */
export interface Recording {
  /** Outer ticks per second. */
  readonly rate: number;
  /** Outer ticks per game tick: the unit in which tolerances of time are given. */
  readonly gameTicks: number;
  /** State after each outer tick; the first is the state after the start scripts. */
  readonly views: readonly StateView[];
  readonly triggers: readonly FiredTrigger[];
  /** Faults in scripts, as readable text. */
  readonly faults: readonly string[];
}

export interface FiredTrigger {
  /** The outer tick in which it fired. What inputs and timers cause between two ticks belongs to the later one. */
  readonly tick: number;
  readonly scope: 'global' | 'entity';
  readonly entity?: string | undefined;
  readonly type: string;
  readonly payload: Readonly<Record<string, ValueView>>;
  /** At least one script listens on that scope. */
  readonly heard: boolean;
}
