import type { DialectName } from '../../engine/index.ts';
import type { BotGroup } from '../bots/index.ts';
import type { Change } from '../load/index.ts';
import { SweepError } from './sweep-error.ts';
import { type SweepValue, valuesOf } from './values.ts';

/** The settings that all runs of a sweep share. Plain data, so that it can be sent to a worker thread. */
export interface SweepPlan {
  /** Path of the definition. */
  readonly game: string;
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

/** A path in the definition, and the values to try. */
export interface Setting {
  readonly path: string;
  readonly values: readonly SweepValue[];
}

/** One combination of values, in the order of the settings. */
export type ParameterPoint = readonly SweepValue[];

/** One run: a combination of values and a seed. */
export interface SweepPlay {
  readonly point: ParameterPoint;
  readonly seed: string;
}

const playsMax = 1_000_000;

/** Parses `unitTypes.zombie.attributes.speed.value=5..9`. */
export function settingOf(text: string): Setting {
  const at = text.indexOf('=');
  const path = text.slice(0, at).trim();
  if (at < 0 || path === '') throw new SweepError('bad-setting', `"${text}" does not have the form path=values.`);
  return { path, values: valuesOf(text.slice(at + 1)) };
}

/** All combinations with all seeds. Seeds vary fastest, then the last setting. */
export function playsOf(settings: readonly Setting[], seeds: readonly string[]): SweepPlay[] {
  const count = settings.reduce((product, { values }) => product * values.length, seeds.length);
  if (count > playsMax)
    throw new SweepError('too-many-plays', `The sweep would have ${count} runs; the maximum is ${playsMax}.`);
  let points: ParameterPoint[] = [[]];
  for (const { values } of settings) points = points.flatMap((point) => values.map((value) => [...point, value]));
  return points.flatMap((point) => seeds.map((seed) => ({ point, seed })));
}

export function changesOf(settings: readonly Setting[], point: ParameterPoint): Change[] {
  return settings.map(({ path }, index) => ({ path, value: point[index] }));
}
