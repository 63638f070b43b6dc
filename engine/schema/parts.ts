import { MalformedBytes } from '../core/bytes.ts';
import type { GraphAdapter } from '../core/graph.ts';

/** The objects of the definition that a state names instead of holding them, numbered. */
export interface Parts {
  /** -1 for an object that is none. */
  numberOf(part: object): number;
  at(number: number): object | undefined;
  isOf(group: string, part: unknown): boolean;
}

/** Scripts can get hold of parts of the definition; where they do, parts are named, too. */
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
  if (part === undefined) throw new MalformedBytes('A part is named that the definition does not have.');
  return part;
}
