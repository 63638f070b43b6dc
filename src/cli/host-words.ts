import type { HostWords } from '../../engine/index.ts';
import { hostWordsIn, ProjectError } from '../check/index.ts';
import { stdinSource } from '../load/index.ts';
import type { Terminal } from '../text/index.ts';
import { Failure } from './failure.ts';
import { findConfig } from './issues/config.ts';

/** The words of the host of a game's project; undefined if it has none, or if its code may not run. */
export async function hostWordsOf(game: string, { isTrusted = true }: Terminal): Promise<HostWords | undefined> {
  const host = game === stdinSource || !isTrusted ? undefined : findConfig(game)?.host;
  if (host === undefined) return undefined;
  try {
    return await hostWordsIn(host);
  } catch (error) {
    if (!(error instanceof ProjectError)) throw error;
    throw new Failure('bad-host', error.message);
  }
}
