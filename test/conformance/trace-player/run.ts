import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { compareCase } from './compare.ts';
import { isRecord } from './difference.ts';
import { playCase } from './play.ts';
import { type CaseResult, report } from './report.ts';
import type { TraceFile } from './trace.ts';

export interface TraceOptions {
  /** Print all differences, not only the first of each case. */
  readonly verbose: boolean;
  /** Only cases whose file name contains this; empty for all. */
  readonly only: string;
  /** The text of docs/semantics. Differences in cases that it names are intended. */
  readonly semantics: string;
}

/** Plays the cases of a folder and prints the results. Throws if the folder does not exist or contains an invalid case. */
export function runTraces(folder: string, { verbose, only, semantics }: TraceOptions): string {
  const path = resolve(folder);
  if (!existsSync(path)) throw new Error(`There is no folder ${path}.`);
  const names = readdirSync(path)
    .filter((name) => name.endsWith('.json') && name.includes(only))
    .sort();
  const results = names.map((name) => judge(readTrace(join(path, name)), semantics));
  return report(results, { verbose });
}

/** A recording of a known defect may differ if docs/semantics names the case. */
export function judge(trace: TraceFile, semantics: string): CaseResult {
  const { name, family, knownBug } = trace;
  const documented = new RegExp(`\\b${name.replace(/\W/g, '\\$&')}\\b`).test(semantics);
  try {
    const { faults, ...recording } = playCase(trace);
    const differences = compareCase(trace, { ...recording, faults });
    const outcome = differences.length === 0 ? 'passed' : knownBug !== undefined && documented ? 'onPurpose' : 'failed';
    return { name, family, outcome, knownBug, documented, differences, faults };
  } catch (error) {
    const got = error instanceof Error ? error.message : String(error);
    const difference = { timeSeconds: 0, path: 'engine', expected: 'a game', got };
    return { name, family, outcome: 'failed', knownBug, documented, differences: [difference], faults: [] };
  }
}

/** Throws an error with the path if the file is not a trace. */
export function readTrace(path: string): TraceFile {
  const text = readFileSync(path, 'utf8');
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    throw new Error(`${path} is not JSON: ${(error as Error).message}`);
  }
  const missing = ['name', 'family', 'rates', 'definition', 'inputs', 'samples', 'triggers'].filter(
    (member) => !isRecord(document) || document[member] === undefined,
  );
  if (missing.length > 0) throw new Error(`${path} is no trace: it has no ${missing.join(', ')}.`);
  return document as TraceFile;
}
