import { isMissing } from '../machine/index.ts';
import { ServerError } from './operator/codes.ts';

/** Loads a package that operators install themselves. Rejects with `ServerError` if it is not installed. */
export function neededPackage<T>(name: string, use: 'store' | 'journal', load: () => Promise<T>): Promise<T> {
  return load().catch((error) => {
    if (!isMissing(name, error)) throw error;
    throw new ServerError(`bad-${use}`, `This ${use} needs the package ${name}: npm install ${name}`);
  });
}
