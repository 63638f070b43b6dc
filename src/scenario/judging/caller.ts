import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UsageError } from '../../../engine/index.ts';
import { amount } from '../../text/index.ts';
import { ScenarioFailure } from '../telling/failure.ts';

/** Resolves a path in a test file: relative to the calling file if that exists, otherwise to the current folder. */
export function besideCaller(path: string, ownFile: string): string {
  if (isAbsolute(path)) return path;
  const caller = callerFile(ownFile);
  if (caller === undefined) return path;
  const beside = join(dirname(caller), path);
  return existsSync(beside) ? beside : path;
}

/**
 * Wraps a function so that the stack of a `ScenarioFailure` begins with the caller of the function. The function throws
 * `UsageError` for arguments that it does not take, which plain JavaScript would ignore.
 */
// biome-ignore lint/suspicious/noExplicitAny: the type of a function with any parameters.
export function failingAtCaller<F extends (...args: any[]) => unknown>(work: F): F {
  return function outermost(this: unknown, ...args: unknown[]) {
    // A function with only a rest parameter has the length 0.
    if (work.length > 0 && args.length > work.length)
      throw new UsageError('bad-value', `${work.name} takes ${amount(work.length, 'argument')}, not ${args.length}.`);
    try {
      return work.apply(this, args);
    } catch (error) {
      if (error instanceof ScenarioFailure) Error.captureStackTrace(error, outermost);
      throw error;
    }
  } as F;
}

/** Applies `failingAtCaller` to all methods of an object, such as the prototype of a class. */
export function failAtCaller(owner: object) {
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(owner)))
    if (typeof value === 'function' && name !== 'constructor')
      Object.defineProperty(owner, name, { value: failingAtCaller(value) });
}

/** The first file on the call stack that is neither `ownFile` nor this one; undefined if there is none. */
function callerFile(ownFile: string) {
  const inside = [pathOf(import.meta.url), pathOf(ownFile)];
  return callSites()
    .map((site) => site.getFileName())
    .filter((file) => typeof file === 'string' && file !== '' && !file.startsWith('node:'))
    .map((file) => pathOf(file!))
    .find((file) => !inside.includes(file));
}

function pathOf(file: string) {
  return file.startsWith('file:') ? fileURLToPath(file) : file;
}

/** The call stack. Restores `prepareStackTrace` afterwards, because test runners set their own. */
function callSites(): readonly NodeJS.CallSite[] {
  const { prepareStackTrace } = Error;
  try {
    Error.prepareStackTrace = (_error, sites) => sites;
    const { stack } = new Error() as { readonly stack?: unknown };
    return Array.isArray(stack) ? stack : [];
  } finally {
    Error.prepareStackTrace = prepareStackTrace;
  }
}
