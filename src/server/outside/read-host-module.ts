import { hostModuleIn, ProjectError } from '../../check/index.ts';
import { ServerError } from '../../cluster/index.ts';
import { type HostModule, wordsOf } from './host-module.ts';

/** Runs an operator's module, and returns what it exports. Rejects with `ServerError` if it cannot be used. */
export async function readHostModule(file: string): Promise<HostModule> {
  try {
    const host: HostModule = await hostModuleIn(file);
    wordsOf(host);
    return host;
  } catch (error) {
    if (error instanceof ProjectError) throw new ServerError('bad-host', error.message);
    if (error instanceof ServerError) throw new ServerError('bad-host', `${file}: ${error.message}`);
    throw error;
  }
}
