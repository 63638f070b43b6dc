import { strToU8, type Zippable, zipSync } from 'fflate';

/**
 * The number of Unix in the zip format. Programs that unpack an archive apply file permissions only if it was made on
 * Unix.
 */
const unix = 3;

/**
 * A zip archive of text files, by path. Files in `executables` are executable on systems that have such permissions.
 */
export function zipOf(files: Readonly<Record<string, string>>, executables: ReadonlySet<string>): Uint8Array {
  const entries: Zippable = {};
  for (const [path, text] of Object.entries(files)) {
    const mode = executables.has(path) ? 0o100755 : 0o100644;
    // The earliest date of the format, so that equal files give equal archives.
    entries[path] = [strToU8(text), { os: unix, attrs: mode * 0x10000, mtime: new Date(1980, 0, 1) }];
  }
  return zipSync(entries);
}
