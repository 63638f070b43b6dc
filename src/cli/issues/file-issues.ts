import type { Issue } from '../../../engine/index.ts';
import type { SuppressedIssue } from './config.ts';

export interface FileIssues {
  /** The path as given by the user, or `<stdin>`. */
  readonly file: string;
  /** The text that was parsed, which line and column refer to; `''` if nothing could be read. */
  readonly text: string;
  readonly issues: readonly Issue[];
  /** The issues that exceptions of the configuration have suppressed. */
  readonly suppressed?: readonly SuppressedIssue[];
}
