import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * The folder in which this user's programs keep things that they can make again. Undefined where that is turned off (`REENACT_CACHE=off`). So it is where
 * the folder belongs to another user or can be written by others, because code that is read there is run.
 */
export function cacheFolder(): string | undefined {
  const { XDG_CACHE_HOME: xdg, LOCALAPPDATA: local, REENACT_CACHE: wish } = process.env;
  if (wish === 'off') return undefined;
  const base = xdg || (process.platform === 'win32' && local) || join(homedir(), '.cache');
  const folder = join(base, 'reenact');
  return isOwn(folder) ? folder : undefined;
}

/** A folder that is not there yet will be the user's. On Windows neither number says anything, and the folder lies in the user's own. */
function isOwn(folder: string): boolean {
  if (process.getuid === undefined) return true;
  try {
    const { uid, mode } = statSync(folder);
    return uid === process.getuid() && (mode & 0o022) === 0;
  } catch {
    return true;
  }
}
