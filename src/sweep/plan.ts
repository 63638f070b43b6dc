import type { DialectName } from '../../engine/index.ts';
import type { Change } from '../load/changed.ts';
import { SweepError } from './sweep-error.ts';
import { type SweepValue, valuesOf } from './values.ts';

/** The settings that are the same for all plays of a sweep. Plain data, so that it can go to a thread. */
export interface SweepPlan {
  /** Path of the definition. */
  readonly game: string;
  readonly dialect: DialectName;
  readonly bots: number;
  /** Simulated seconds at most. */
  readonly seconds: number;
  /** Expression that ends a play early. */
  readonly until?: string | undefined;
  /** Expressions that are asked at the end of each play. */
  readonly measures: readonly string[];
}

/** A member of the definition, and the values that it takes in turn. */
export interface Setting {
  readonly path: string;
  readonly values: readonly SweepValue[];
}

/** One combination of values, by the settings in their order. */
export type Point = readonly SweepValue[];

/** One play: a point and a seed. */
export interface Play {
  readonly point: Point;
  readonly seed: string;
}

const playsMax = 1_000_000;

/** `unitTypes.zombie.attributes.speed.value=5..9`. */
export function settingOf(text: string): Setting {
  const at = text.indexOf('=');
  const path = text.slice(0, at).trim();
  if (at < 0 || path === '') throw new SweepError('bad-setting', `"${text}" is not of the form path=values.`);
  return { path, values: valuesOf(text.slice(at + 1)) };
}

/** Every combination with every seed: seeds of a point are neighbours, and the last setting changes fastest. */
export function playsOf(settings: readonly Setting[], seeds: readonly string[]): Play[] {
  const count = settings.reduce((product, { values }) => product * values.length, seeds.length);
  if (count > playsMax) throw new SweepError('too-many-plays', `These are ${count} plays; ${playsMax} are the most.`);
  let points: Point[] = [[]];
  for (const { values } of settings) points = points.flatMap((point) => values.map((value) => [...point, value]));
  return points.flatMap((point) => seeds.map((seed) => ({ point, seed })));
}

export function changesOf(settings: readonly Setting[], point: Point): Change[] {
  return settings.map(({ path }, index) => ({ path, value: point[index] }));
}
