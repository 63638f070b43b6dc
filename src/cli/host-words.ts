import type { HostWords } from '../../engine/index.ts';
import { hostWordsIn } from '../check/index.ts';
import { stdinSource } from '../load/index.ts';
import type { Terminal } from '../text/index.ts';
import { findConfig } from './issues/config.ts';

/**
 * The operations and triggers that a game's host adds, according to the configuration of its project; undefined if
 * there are none, or if the project's code may not run.
 */
export async function hostWordsOf(game: string, { isTrusted = true }: Terminal): Promise<HostWords | undefined> {
  const host = game === stdinSource || !isTrusted ? undefined : findConfig(game)?.host;
  return host === undefined ? undefined : hostWordsIn(host);
}
