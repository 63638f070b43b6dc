import type { AnyHandle, Simulation } from '../../engine/index.ts';
import { EntityHandle } from '../../engine/internal.ts';
import { Missing } from '../expression/missing.ts';
import type { EntityNames } from '../expression/source.ts';
import { recordable, valueText } from '../expression/value-text.ts';

/** A value of a game at one moment. */
export interface Reading {
  /** As JSON: `@u1` for an entity, the size of a group, null for `nothing` and for what does not exist. */
  readonly value: unknown;
  readonly text: string;
}

export function readingOf(sim: Simulation, value: unknown, names?: EntityNames): Reading {
  return { value: recordable(value), text: valueText(sim, value, names) };
}

/** A comparison key: equal for equal values, also across copies of a simulation. */
export function keyOf(value: unknown): string | number {
  if (typeof value === 'number') return value;
  if (value instanceof Missing) return 'missing';
  if (value instanceof EntityHandle) return `@${(value as AnyHandle).id}`;
  if (Array.isArray(value)) return `[${value.map(keyOf).join(' ')}]`;
  if (typeof value === 'object' && value !== null) return `{}${JSON.stringify(recordable(value))}`;
  return `${typeof value} ${String(value)}`;
}
