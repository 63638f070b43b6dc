import type { JsonLimits } from '../../engine/core/index.ts';
import type { DialectName, HostWords, Issue } from '../../engine/index.ts';
import { hostWordsIn, ownRules, ProjectError } from '../check/index.ts';
import { GameFile } from './game-file.ts';

/** The URL of this module, from which threads are started. It is also correct in a bundle. */
export const workerUrl = import.meta.url;

export interface CheckTask {
  readonly text: string;
  readonly dialect: DialectName;
  /** The paths of modules with the project's rules. */
  readonly rules: readonly string[];
  /** The path of the module with operations and triggers that the project's host adds. */
  readonly host?: string | undefined;
  /** The limits for the text. Default: the limits of an editor. */
  readonly limits?: JsonLimits;
  /**
   * Shared memory into which the thread writes the module or rule that is running, as UTF-8 padded with zeros. The code
   * that terminates the thread reads it there.
   */
  readonly running?: Uint8Array;
}

export interface CheckResult {
  readonly issues: readonly Issue[];
  /** The codes of the project's own rules. */
  readonly codes: readonly string[];
  /** The operations and triggers that the project's host adds. */
  readonly words?: HostWords | undefined;
}

/**
 * The valid definition that this thread checked last. The next definition is usually another version of it, in which
 * few scripts have changed.
 */
let latest: GameFile | undefined;

/**
 * Checks a definition. Called in a thread of its own. If the rules or the host of the project cannot be used, the
 * result contains a single issue, which says why.
 */
export async function checkInThread({ text, dialect, rules, host, limits, running }: CheckTask): Promise<CheckResult> {
  let now = '';
  const follow = (at: string) => {
    if (at === now) return;
    now = at;
    if (running !== undefined) Buffer.from(running.buffer).fill(0).write(at);
  };
  try {
    if (host !== undefined) follow(host);
    const words = host === undefined ? undefined : await hostWordsIn(host);
    const own = await ownRules(rules, follow);
    const file = new GameFile(text, dialect, latest, own, limits, words);
    if (file.game !== undefined) latest = file;
    return { issues: file.issues, codes: Object.keys(own), words };
  } catch (error) {
    if (!(error instanceof ProjectError)) throw error;
    return { issues: [error.issue], codes: [] };
  }
}
