import { isMissing } from '../machine/index.ts';
import { Failure } from './failure.ts';
import { serverToInstall } from './own-dependency.ts';

/** Loads the commands of the server package. Throws `Failure` if it is not installed. */
export async function serverCommands(): Promise<typeof import('./server-commands.ts')> {
  try {
    return await import('./server-commands.ts');
  } catch (error) {
    if (!isMissing('@reenact/server', error)) throw error;
    throw new Failure(
      'no-server-package',
      `This command needs the package of the server: npm install ${serverToInstall()}`,
    );
  }
}
