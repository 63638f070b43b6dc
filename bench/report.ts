import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { table } from './measure.ts';

/** What a suite found: one table, and what has to be said about it. Numbers are as they are printed. */
export interface Report {
  readonly head: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
  readonly notes?: readonly string[];
}

export function reportText({ head, rows, notes = [] }: Report): string {
  return [table(head, rows), ...notes].join('\n');
}

/** Committed results are read beside each other, so that each says what machine and which Node it is from. */
export function saveReport(name: string, report: Report): void {
  const machine = `${process.platform} ${process.arch}, ${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}`;
  mkdirSync('bench/results', { recursive: true });
  const rows = report.rows.map((row) => Object.fromEntries(report.head.map((column, i) => [column, row[i] ?? null])));
  const result = { suite: name, node: process.version, machine, rows, notes: report.notes ?? [] };
  writeFileSync(`bench/results/${name}.json`, `${JSON.stringify(result, null, 2)}\n`);
}

/** A figure with as many digits as mean something. */
export function rounded(value: number, digits = 3): number {
  return Number(value.toFixed(digits));
}
