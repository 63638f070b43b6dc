import type { DialectName, Issue } from '../../engine/index.ts';
import { ownRules, RulesError } from '../check/own-rules.ts';
import { GameFile } from './game-file.ts';

/** The URL of this file for starting threads, bundled or not. */
export const workerUrl = import.meta.url;

export interface CheckTask {
  readonly text: string;
  readonly dialect: DialectName;
  /** Modules with rules of the project. */
  readonly rules: readonly string[];
}

/** Checks a definition in a thread of its own. Rules that cannot be used are an issue. */
export async function checkInThread({ text, dialect, rules }: CheckTask): Promise<readonly Issue[]> {
  try {
    return new GameFile(text, dialect, undefined, await ownRules(rules)).issues;
  } catch (error) {
    if (!(error instanceof RulesError)) throw error;
    const { code, message } = error;
    return [{ code, severity: 'error', pointer: '', message }, ...new GameFile(text, dialect).issues];
  }
}
