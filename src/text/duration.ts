import type { Dictionary } from '../../engine/core/index.ts';

/** An amount of simulated time, in seconds or in whole ticks. */
export type Duration = { readonly seconds: number } | { readonly ticks: number };

const units: Dictionary<number> = {
  ms: 0.001,
  s: 1,
  sec: 1,
  second: 1,
  seconds: 1,
  min: 60,
  minute: 60,
  minutes: 60,
};

/**
 * Parses a duration such as `15 s`, `500 ms`, `2 min` or `3 ticks`; a plain number is in seconds. Undefined for
 * anything else.
 */
export function readDuration(given: unknown): Duration | undefined {
  if (typeof given === 'number') return given >= 0 && Number.isFinite(given) ? { seconds: given } : undefined;
  if (typeof given !== 'string') return undefined;
  const match = /^\s*(\d+(?:\.\d+)?|\.\d+)\s*([a-z]*)\s*$/.exec(given);
  if (match === null) return undefined;
  const amount = Number(match[1]);
  const unit = match[2]!;
  if (unit === 'tick' || unit === 'ticks') return Number.isInteger(amount) ? { ticks: amount } : undefined;
  const scale = unit === '' ? 1 : units[unit];
  return scale === undefined ? undefined : { seconds: amount * scale };
}

export function ticksOf(duration: Duration, ticksPerSecond: number): number {
  return 'ticks' in duration ? duration.ticks : Math.round(duration.seconds * ticksPerSecond);
}

export function durationText(duration: Duration): string {
  if ('ticks' in duration) return `${duration.ticks} ${duration.ticks === 1 ? 'tick' : 'ticks'}`;
  return `${Number(duration.seconds.toFixed(3))} s`;
}
