import { severityCounts } from '../../../engine/core/index.ts';
import { locateIssues } from '../../load/index.ts';
import type { FileIssues } from './file-issues.ts';

/**
 * The issues as JSON for programs. All keys are always present; the value is `null` if a key does not apply. Keys may
 * be added; `version` changes when a key is removed or changes its meaning. Issues are in the order in which they were
 * found.
 */
export function issuesAsData(files: readonly FileIssues[]): object {
  return {
    version: 1,
    files: files.map(({ file, text, issues, suppressed = [] }) => {
      const places = locateIssues(text, issues);
      return {
        file,
        issues: issues.map((issue, i) => {
          const { code, severity, pointer, message, expected = null, found = null } = issue;
          const { suggestion = null, count = null } = issue;
          const { line = null, column = null } = places[i] ?? {};
          return { code, severity, pointer, line, column, message, expected, found, suggestion, count };
        }),
        counts: severityCounts(issues),
        suppressed: suppressed.map(({ issue: { code, pointer }, because = null }) => ({ code, pointer, because })),
      };
    }),
    counts: severityCounts(files.flatMap(({ issues }) => issues)),
  };
}
