import type { DialectName, HostWords } from '../../engine/index.ts';
import type { BotGroup } from '../bots/index.ts';
import type { Ending } from '../run/index.ts';

/** The settings that all runs of a sweep share. Plain data, so that it can be sent to a worker thread. */
export interface SweepPlan {
  /** Path of the definition. */
  readonly game: string;
  /** The words of its host. */
  readonly host?: HostWords | undefined;
  readonly dialect: DialectName;
  readonly bots: readonly BotGroup[];
  /** How many ways to go on a winner compares per decision. */
  readonly tries?: number | undefined;
  /** Maximum simulated seconds. */
  readonly seconds: number;
  /** Expression that ends a run early. */
  readonly until?: string | undefined;
  /** Expressions that are evaluated at the end of each run. */
  readonly measures: readonly string[];
}

export type SweepValue = string | number | boolean | null;

/** A path in the definition, and the values to try. */
export interface Setting {
  readonly path: string;
  readonly values: readonly SweepValue[];
}

/** One run: a seed and a combination of values, in the order of the settings. */
export interface SweepPlay {
  readonly point: readonly SweepValue[];
  readonly seed: string;
}

/** The value of a measure; null if it has none. A group of entities is represented by its size. */
export type Answer = number | boolean | string | null;

export interface Outcome {
  readonly answers: readonly Answer[];
  readonly ticks: number;
  readonly ending: Ending;
}

/** A run and its outcome. */
export interface Result extends SweepPlay, Outcome {}

/** All combinations with all seeds. Seeds vary fastest, then the last setting. */
export function playsOf(settings: readonly Setting[], seeds: readonly string[]): SweepPlay[] {
  let points: SweepPlay['point'][] = [[]];
  for (const { values } of settings) points = points.flatMap((point) => values.map((value) => [...point, value]));
  return points.flatMap((point) => seeds.map((seed) => ({ point, seed })));
}
