import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A path as a test file means it: beside the file that calls, where it is there, else from the current folder. */
export function besideCaller(path: string, ownFile: string): string {
  if (isAbsolute(path)) return path;
  const caller = callerFile(ownFile);
  if (caller === undefined) return path;
  const beside = join(dirname(caller), path);
  return existsSync(beside) ? beside : path;
}

/** The file of the first call that is neither in `ownFile` nor in this one. */
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

/** Test runners replace how a stack is printed; what is set here is given back. */
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
