import type { DialectName, Issue } from '../../engine/index.ts';
import { GameFile } from './game-file.ts';

/** The URL of this file for starting threads, bundled or not. */
export const workerUrl = import.meta.url;

export interface CheckTask {
  readonly text: string;
  readonly dialect: DialectName;
}

/** Checks a definition in a thread of its own. */
export function checkInThread({ text, dialect }: CheckTask): readonly Issue[] {
  return new GameFile(text, dialect).issues;
}
