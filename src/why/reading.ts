import {
  type AnyHandle,
  EntityHandle,
  type OutputEvent,
  type RegionHandle,
  type Simulation,
} from '../../engine/index.ts';
import { type EntityNames, Missing, type Node, recordable, valueText } from '../expression/index.ts';

/** A value that can be read from a simulation. */
export interface Question {
  readonly text: string;
  read(): unknown;
  /** Whether the value counts as true in a condition. */
  truth(): boolean;
  /**
   * Whether the value is a count. A count restarts at 0 where a play continues from a snapshot, so only an increase is
   * a change.
   */
  readonly isCount: boolean;
  /** The entity to which the value belongs: `u12` of `u12.health`. Undefined if the value belongs to none. */
  subject(): AnyHandle | undefined;
  readonly member: string | undefined;
  readonly node: Node;
  /**
   * For questions about outputs by their details: called with each output; `read` returns the number of matching ones.
   */
  hears?(event: OutputEvent): void;
  /** The values on which a condition depends, as expressions; empty for a plain value. */
  parts(): readonly string[];
}

/** A value of a game at one moment. */
export interface Reading {
  /** The value as JSON: `@u1` for an entity, the size of a group, null for `nothing` and for what does not exist. */
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

/** A key for comparisons: equal values have equal keys, also in copies of a simulation. */
export function keyOf(value: unknown): string | number {
  if (typeof value === 'number') return value;
  if (value instanceof Missing) return 'missing';
  if (value instanceof EntityHandle) return `@${(value as AnyHandle).id}`;
  if (Array.isArray(value)) return `[${value.map(keyOf).join(' ')}]`;
  if (typeof value === 'object' && value !== null) return `{}${JSON.stringify(recordable(value))}`;
  return `${typeof value} ${String(value)}`;
}

export function isPlace(member: string | undefined): member is 'x' | 'y' | 'angle' {
  return member === 'x' || member === 'y' || member === 'angle';
}
