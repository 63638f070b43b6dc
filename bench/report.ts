import { table } from './measure.ts';

/** What a suite found: one table, and what has to be said about it. Numbers are as they are printed. */
export interface Report {
  readonly head: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
  readonly notes?: readonly string[];
  /** Costs by what was measured, one for each round, in shares of what was measured beside it: less is better. */
  readonly samples?: Readonly<Record<string, readonly number[]>>;
}

export function reportText({ head, rows, notes = [] }: Report): string {
  return [table(head, rows), ...notes].join('\n');
}

/** A figure with as many digits as mean something. */
export function rounded(value: number, digits = 3): number {
  return Number(value.toFixed(digits));
}
