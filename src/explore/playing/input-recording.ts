import type { Input, Journal } from '../../../engine/index.ts';

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

/** The play that a journal records. */
export function recordingOf({ head, inputs: byTick, lastTick }: Journal): InputRecording {
  const inputs = [...byTick].flatMap(([tick, list]) => list.map((input) => ({ tick, input })));
  return { seed: head.seed, ticks: Math.max(lastTick, ...inputs.map(({ tick }) => tick)), inputs };
}
