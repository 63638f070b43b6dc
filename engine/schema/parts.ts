import { MalformedBytes } from '../core/bytes.ts';
import type { GraphAdapter } from '../core/graph.ts';

/**
 * Assigns numbers to the objects of the definition to which a state can refer. Snapshots contain the numbers, not the
 * objects.
 */
export interface Parts {
  /** The number of an object; -1 if the object is not part of the definition. */
  numberOf(part: object): number;
  at(number: number): object | undefined;
  isOf(group: string, part: unknown): boolean;
}

/**
 * Lets `json` values contain parts of the definition, because scripts can store these in variables. Each part is saved
 * by its number.
 */
export function partAdapter(parts: Parts): GraphAdapter<object> {
  return {
    owns: (value): value is object => parts.numberOf(value) >= 0,
    save: (value) => [parts.numberOf(value)],
    restore: ([number]) => partAt(parts, number),
    show: (value) => `part ${parts.numberOf(value)} of the definition`,
  };
}

export function partAt(parts: Parts, number: unknown): object {
  const part = typeof number === 'number' ? parts.at(number) : undefined;
  if (part === undefined) throw new MalformedBytes('Damaged data: a reference to a part of the definition is invalid.');
  return part;
}
