import { readFileSync, writeFileSync } from 'node:fs';
import { table } from './measure.ts';

/** The results of a suite: a table and notes. Numbers are as printed. */
export interface Report {
  readonly head: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
  readonly notes?: readonly string[];
  /** Costs by measurement, one per round, relative to what was measured alongside: less is better. */
  readonly samples?: Readonly<Record<string, readonly number[]>>;
}

export function reportText({ head, rows, notes = [] }: Report): string {
  return [table(head, rows), ...notes].join('\n');
}

/** Rounds a figure to its significant digits. */
export function rounded(value: number, digits = 3): number {
  return Number(value.toFixed(digits));
}

/**
 * Replaces the block `<!-- generated: bench NAME -->` of a page with the table. Throws if the page has no such block.
 */
export function replaceTable(file: string, name: string, { head, rows }: Report): void {
  const text = readFileSync(file, 'utf8');
  const begin = `<!-- generated: bench ${name} -->\n`;
  const from = text.indexOf(begin);
  const to = text.indexOf('<!-- end -->', from);
  if (from < 0 || to < 0) throw new Error(`${file} has no block for the table of ${name}.`);
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |\n`;
  const shown = [line(head), line(head.map(() => '---')), ...rows.map(line)].join('');
  writeFileSync(file, `${text.slice(0, from + begin.length)}\n${shown}\n${text.slice(to)}`);
}
