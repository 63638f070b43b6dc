import { hostModuleIn } from '../../check/index.ts';
import { ServerError } from '../../cluster/index.ts';
import { type HostModule, wordsOf } from './host-module.ts';

/** Runs an operator's module, and returns what it exports. Rejects with a `UserError` if it cannot be used. */
export async function readHostModule(file: string): Promise<HostModule> {
  try {
    const host: HostModule = await hostModuleIn(file);
    wordsOf(host);
    return host;
  } catch (error) {
    if (error instanceof ServerError) throw new ServerError('bad-host', `${file}: ${error.message}`);
    throw error;
  }
}
