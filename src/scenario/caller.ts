import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Resolves a path in a test file: relative to the calling file if that exists, otherwise to the current folder. */
export function besideCaller(path: string, ownFile: string): string {
  if (isAbsolute(path)) return path;
  const caller = callerFile(ownFile);
  if (caller === undefined) return path;
  const beside = join(dirname(caller), path);
  return existsSync(beside) ? beside : path;
}

/** The first file on the call stack that is neither `ownFile` nor this one. */
function callerFile(ownFile: string): string | undefined {
  const inside = [pathOf(import.meta.url), pathOf(ownFile)];
  return callSites()
    .map((site) => site.getFileName())
    .filter((file) => typeof file === 'string' && file !== '' && !file.startsWith('node:'))
    .map((file) => pathOf(file!))
    .find((file) => !inside.includes(file));
}

function pathOf(file: string): string {
  return file.startsWith('file:') ? fileURLToPath(file) : file;
}

/** Test runners set their own `prepareStackTrace`, so it is restored. */
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
