import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * The folder for files that the program can regenerate. Undefined if caching is off (`REENACT_CACHE=off`), or if the
 * folder belongs to another user or others can write to it: code from there is executed.
 */
export function cacheFolder(): string | undefined {
  const { XDG_CACHE_HOME: xdg, LOCALAPPDATA: local, REENACT_CACHE: wish } = process.env;
  if (wish === 'off') return undefined;
  const base = xdg || (process.platform === 'win32' && local) || join(homedir(), '.cache');
  const folder = join(base, 'reenact');
  return isOwn(folder) ? folder : undefined;
}

/**
 * A folder that does not exist yet will be created by this user. Windows has no such numbers, and the folder lies
 * inside the user's profile.
 */
function isOwn(folder: string): boolean {
  if (process.getuid === undefined) return true;
  try {
    const { uid, mode } = statSync(folder);
    return uid === process.getuid() && (mode & 0o022) === 0;
  } catch {
    return true;
  }
}
