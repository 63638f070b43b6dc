import type { JsonLimits } from '../../engine/core/index.ts';
import type { DialectName, HostWords, Issue } from '../../engine/index.ts';
import { hostWordsIn, ownRules, ProjectError } from '../check/index.ts';
import { GameFile } from './game-file.ts';

/** The URL of this file for starting threads, bundled or not. */
export const workerUrl = import.meta.url;

export interface CheckTask {
  readonly text: string;
  readonly dialect: DialectName;
  /** Modules with rules of the project. */
  readonly rules: readonly string[];
  /** The module with the words of the host of the project. */
  readonly host?: string | undefined;
  /** Of the text. Default: what an editor bears. */
  readonly limits?: JsonLimits;
  /** The thread writes here which module or rule is running, for whoever terminates it; UTF-8, padded with zeros. */
  readonly running?: Uint8Array;
}

export interface CheckResult {
  readonly issues: readonly Issue[];
  /** The codes of the rules of the project. */
  readonly codes: readonly string[];
  /** The words of the host of the project. */
  readonly words?: HostWords | undefined;
}

/**
 * What this thread checked last: what is checked next is most often another version of it, in which few scripts have
 * changed.
 */
let latest: GameFile | undefined;

/** Checks a definition in a thread of its own. Rules or a host that cannot be used are the only issue. */
export async function checkInThread({ text, dialect, rules, host, limits, running }: CheckTask): Promise<CheckResult> {
  let now = '';
  const follow = (at: string): void => {
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
