import { Failure } from './failure.ts';

/** Throws `Failure` if the package of the server is not installed. */
export async function serverCommands(): Promise<typeof import('./server-commands.ts')> {
  try {
    return await import('./server-commands.ts');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (!/^(?:ERR_)?MODULE_NOT_FOUND$/.test(code ?? '') || !message.includes('@reenact/server')) throw error;
    throw new Failure('no-server-package', 'This command needs the server package: npm install @reenact/server');
  }
}
