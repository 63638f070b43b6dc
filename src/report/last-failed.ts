import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Case, CaseResult } from '../scenario/index.ts';

/** Identifies a case from run to run, whatever the current folder and the number of seeds. */
export interface CaseIdentity extends Pick<Case, 'name' | 'seed'> {
  /** The absolute path of the scenario file. */
  readonly file: string;
}

interface LastFailed {
  readonly reenactLastFailed: 1;
  readonly failed: readonly CaseIdentity[];
}

/** The name of the file, in the folder of pictures. */
export const lastFailedFile = 'last-failed.json';

/** The content of the file. */
export function lastFailedText(failed: readonly CaseIdentity[]): string {
  return `${JSON.stringify({ reenactLastFailed: 1, failed } satisfies LastFailed)}\n`;
}

/** Reads the file. A missing or truncated file is like a run without failures. */
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
 * The failures after a run. Those that this run did not play again are kept, unless their scenario is gone: `found` are
 * all cases of the files, chosen or not.
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

function nameOf({ file, name }: Pick<CaseIdentity, 'file' | 'name'>): string {
  return JSON.stringify([resolve(file), name]);
}

function keyOf(each: CaseIdentity): string {
  return JSON.stringify([nameOf(each), each.seed]);
}
