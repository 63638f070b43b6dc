import type { Input } from '../../../engine/index.ts';

/** The inputs of a play, and everything else that a replay needs. */
export interface InputRecording {
  readonly seed: string;
  readonly ticks: number;
  readonly inputs: readonly TimedInput[];
}

/** An input, with the tick in which it takes effect. */
export interface TimedInput {
  readonly tick: number;
  readonly input: Input;
}
