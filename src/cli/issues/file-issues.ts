import type { Issue } from '../../../engine/core/issue.ts';

export interface FileIssues {
  /** Path as the user gave it, or `<stdin>`. */
  readonly file: string;
  /** The text that was parsed; `''` when nothing could be read. Lines and columns are looked up in it. */
  readonly text: string;
  readonly issues: readonly Issue[];
}
