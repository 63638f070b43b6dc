import type { Percentiles } from '../statistics/statistics.ts';
import { amount } from '../text/words.ts';
import type { BenchResult, GameResult } from './result.ts';
import { fixed } from './text.ts';

/** A limit for the ticks of every game and every number of bots. */
export interface BenchRequirement {
  readonly text: string;
  readonly figure: keyof Percentiles;
  readonly isStrict: boolean;
  readonly limitMs: number;
}

const figures: Readonly<Record<string, keyof Percentiles>> = {
  mean: 'mean',
  p50: 'p50',
  median: 'p50',
  p90: 'p90',
  p95: 'p95',
  p99: 'p99',
  'p99.9': 'p999',
  max: 'max',
};

/** Parses `p99 < 8 ms`; undefined if invalid. */
export function requirementOf(text: string): BenchRequirement | undefined {
  const [, name, sign, number] = /^\s*([\w.]+)\s*(<=?)\s*(\d+(?:\.\d+)?)\s*(?:ms)?\s*$/.exec(text) ?? [];
  const figure = name === undefined ? undefined : figures[name];
  if (figure === undefined) return undefined;
  return { text: text.trim(), figure, isStrict: sign === '<', limitMs: Number(number) };
}

/** The figures that a requirement can limit. */
export const figureNames: readonly string[] = Object.keys(figures);

/** One line per requirement that is not met. */
export function unmet(
  result: BenchResult,
  requirements: readonly BenchRequirement[],
  playersMin: number | undefined,
): string[] {
  return result.games.flatMap((game) => [
    ...requirements.flatMap((requirement) => unmetTimes(game, requirement)),
    ...(playersMin === undefined ? [] : unmetPlayers(game, playersMin)),
  ]);
}

function unmetTimes({ file, scales }: GameResult, { text, figure, isStrict, limitMs }: BenchRequirement): string[] {
  return scales.flatMap(({ bots, typical }) => {
    const ms = typical.tickMs[figure];
    if (isStrict ? ms < limitMs : ms <= limitMs) return [];
    return [`${text} does not hold: ${file} with ${amount(bots, 'bot')} takes ${fixed(ms, 3)} ms`];
  });
}

function unmetPlayers({ file, capacity, scales }: GameResult, least: number): string[] {
  const { players, isReached, isFull } = capacity;
  if (players >= least) return [];
  const tried = Math.max(0, ...scales.map(({ bots }) => bots));
  const why = isFull
    ? `${file} takes ${amount(players, 'player')} at most`
    : isReached
      ? `${file} holds ${players}`
      : `${file} was tried with ${amount(tried, 'bot')} at most; --bots ${least} tries more`;
  return [`${amount(least, 'player')} required: ${why}`];
}
