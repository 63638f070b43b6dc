import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Case, CaseResult } from '../scenario/index.ts';

/** Identifies a case in later runs, even if these start in another folder or with another number of seeds. */
export interface CaseIdentity extends Pick<Case, 'name' | 'seed'> {
  /** The absolute path of the scenario file. */
  readonly file: string;
}

interface LastFailed {
  readonly reenactLastFailed: 1;
  readonly failed: readonly CaseIdentity[];
}

/** The name of the file with the last failures, in the folder of pictures. */
export const lastFailedFile = 'last-failed.json';

/** The content of the file with the last failures. */
export function lastFailedText(failed: readonly CaseIdentity[]): string {
  return `${JSON.stringify({ reenactLastFailed: 1, failed } satisfies LastFailed)}\n`;
}

/** Reads the last failures. If the file is missing or truncated, there are none. */
export function readLastFailed(path: string): readonly CaseIdentity[] {
  if (!existsSync(path)) return [];
  try {
    const { reenactLastFailed, failed } = JSON.parse(readFileSync(path, 'utf8')) as Partial<LastFailed>;
    return reenactLastFailed === 1 && Array.isArray(failed) ? failed : [];
  } catch {
    return [];
  }
}

/**
 * The failures to keep after a run. Failures of earlier runs that this run did not repeat are kept, unless their
 * scenario is gone. `found` are all cases in the files, whether they were run or not.
 */
export function failedAfter(
  before: readonly CaseIdentity[],
  results: readonly CaseResult[],
  found: readonly Case[],
): CaseIdentity[] {
  const played = new Set(results.map((result) => keyOf(result.case)));
  const files = new Set(found.map(({ file }) => resolve(file)));
  const names = new Set(found.map(nameOf));
  const kept = before.filter(
    (each) => !played.has(keyOf(each)) && (names.has(nameOf(each)) || !files.has(resolve(each.file))),
  );
  const failed = results
    .filter(({ outcome }) => outcome === 'failed')
    .map(({ case: { file, name, seed } }) => ({ file: resolve(file), name, seed }));
  return [...kept, ...failed];
}

export function casesThatFailed(cases: readonly Case[], failed: readonly CaseIdentity[]): readonly Case[] {
  const keys = new Set(failed.map(keyOf));
  return cases.filter((each) => keys.has(keyOf(each)));
}

function nameOf({ file, name }: Pick<CaseIdentity, 'file' | 'name'>) {
  return JSON.stringify([resolve(file), name]);
}

function keyOf(each: CaseIdentity) {
  return JSON.stringify([nameOf(each), each.seed]);
}
