import { realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { Failure } from '../failure.ts';

/** Confines file access to one folder. */
export class Folder {
  readonly #path: string;

  constructor(path: string) {
    this.#path = realpathSync(path);
  }

  /**
   * Returns the path relative to the folder. Throws `Failure` if the file does not exist, or if it is outside the
   * folder after symbolic links are resolved.
   */
  inside(path: string): string {
    let real: string;
    try {
      real = realpathSync(resolve(this.#path, path));
    } catch (error) {
      throw new Failure('unreadable-file', `${path} cannot be read: ${(error as NodeJS.ErrnoException).code}.`);
    }
    const from = relative(this.#path, real);
    if (from === '..' || from.startsWith(`..${sep}`) || isAbsolute(from))
      throw new Failure('outside-folder', `${path} is outside of the folder that this server may read.`);
    return from === '' ? '.' : from;
  }
}
