import { realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { Failure } from './failure.ts';

/** The one folder that files may be read from. */
export class Folder {
  readonly #path: string;

  constructor(path: string) {
    this.#path = realpathSync(path);
  }

  /** The path from the folder; a `Failure` for what is outside of it, also behind a symbolic link, and for what is not there. */
  inside(path: string): string {
    const real = this.#real(path);
    const from = relative(this.#path, real);
    if (from === '..' || from.startsWith(`..${sep}`) || isAbsolute(from))
      throw new Failure('outside-folder', `${path} is outside of the folder that this server reads.`);
    return from === '' ? '.' : from;
  }

  #real(path: string): string {
    try {
      return realpathSync(resolve(this.#path, path));
    } catch (error) {
      throw new Failure('unreadable-file', `${path} cannot be read: ${(error as NodeJS.ErrnoException).code}.`);
    }
  }
}
