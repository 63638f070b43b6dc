import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Difference } from './difference.ts';

/** What may differ in one case. */
export interface Exception {
  /** Regular expression that paths of differences must match, such as `^i[0-9]+\.angle$`. */
  readonly path: string;
  /** How far numbers may be apart; absent if anything may differ. */
  readonly within?: number;
  readonly why: string;
}

/** By the name of the case. */
export type Exceptions = Readonly<Record<string, readonly Exception[]>>;

export const exceptionsFile = 'exceptions.json';

/** The exceptions of the cases of a folder: those of `exceptions.json` in it. */
export function readExceptions(folder: string): Exceptions {
  const path = join(folder, exceptionsFile);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Exceptions) : {};
}

/**
 * Leaves out the differences that an exception allows. An exception that allows none is itself a difference: what it is
 * about has changed.
 */
export function unexpected(differences: readonly Difference[], exceptions: readonly Exception[]): Difference[] {
  const unused = new Set(exceptions);
  const left = differences.filter((difference) => {
    const allowing = exceptions.filter((exception) => allows(exception, difference));
    for (const exception of allowing) unused.delete(exception);
    return allowing.length === 0;
  });
  for (const { path } of unused) {
    left.push({ timeSeconds: 0, path: exceptionsFile, expected: `a difference in ${path}`, got: 'none' });
  }
  return left;
}

function allows({ path, within }: Exception, difference: Difference): boolean {
  if (!new RegExp(path).test(difference.path)) return false;
  if (within === undefined) return true;
  const expected = [difference.expected].flat();
  const got = [difference.got].flat();
  return expected.every((part, index) => isWithin(within, part, got[index]));
}

function isWithin(limit: number, a: unknown, b: unknown): boolean {
  return typeof a === 'number' && typeof b === 'number' && Math.abs(a - b) <= limit;
}
