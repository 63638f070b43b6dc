import type { AnyHandle, RegionHandle, Simulation } from '../../engine/index.ts';
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
  const text = valueText(sim, value, names);
  return { value: recordable(value), text: isRegion(value) ? `${text} (${value.width} x ${value.height})` : text };
}

function isRegion(value: unknown): value is RegionHandle {
  return value instanceof EntityHandle && (value as AnyHandle).kind === 'region' && value.exists;
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
