import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { compareCase } from './compare.ts';
import { isRecord } from './difference.ts';
import { type Exceptions, exceptionsFile, readExceptions, unexpected } from './exceptions.ts';
import { playCase } from './play.ts';
import { type CaseResult, report } from './report.ts';
import type { TraceFile } from './trace.ts';

export interface TraceOptions {
  /** Print all differences, not only the first of each case. */
  readonly verbose: boolean;
  /** Only cases whose file name contains this; empty for all. */
  readonly only: string;
}

/**
 * Plays the cases of a folder and prints the results. Throws if the folder does not exist or contains an invalid case.
 */
export function runTraces(folder: string, { verbose, only }: TraceOptions): string {
  const path = resolve(folder);
  if (!existsSync(path)) throw new Error(`There is no folder ${path}.`);
  const exceptions = readExceptions(path);
  const names = readdirSync(path)
    .filter((name) => name.endsWith('.json') && name !== exceptionsFile && name.includes(only))
    .sort();
  const results = names.map((name) => judge(readTrace(join(path, name)), exceptions));
  return report(results, { verbose });
}

/** Plays a case. It passes if it differs only where the exceptions say so. */
export function judge(trace: TraceFile, exceptionsByName: Exceptions): CaseResult {
  const { name, family, knownBug } = trace;
  const exceptions = exceptionsByName[name] ?? [];
  try {
    const recording = playCase(trace);
    const differences = unexpected(compareCase(trace, recording), exceptions);
    return { name, family, knownBug, exceptions, differences, faults: recording.faults };
  } catch (error) {
    const got = error instanceof Error ? error.message : String(error);
    const difference = { timeSeconds: 0, path: 'engine', expected: 'a game', got };
    return { name, family, knownBug, exceptions, differences: [difference], faults: [] };
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
