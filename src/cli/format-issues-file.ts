import type { Issue } from '../../engine/core/issue.ts';
import type { Severity } from '../../engine/core/issue-codes.ts';

export interface FileIssues {
  /** Path as the user gave it, or `<stdin>`. */
  readonly file: string;
  /** The text that was parsed; `''` when nothing could be read. Lines and columns are looked up in it. */
  readonly text: string;
  readonly issues: readonly Issue[];
}

export type Counts = Record<Severity, number>;

export function countSeverities(issues: Iterable<Issue>): Counts {
  const counts: Counts = { error: 0, warning: 0, info: 0 };
  for (const { severity } of issues) counts[severity]++;
  return counts;
}
