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
        issues: issues.map((issue, i) => ({
          code: issue.code,
          severity: issue.severity,
          pointer: issue.pointer,
          line: places[i]?.line ?? null,
          column: places[i]?.column ?? null,
          message: issue.message,
          expected: issue.expected ?? null,
          found: issue.found ?? null,
          suggestion: issue.suggestion ?? null,
          count: issue.count ?? null,
        })),
        counts: severityCounts(issues),
        suppressed: suppressed.map(({ issue: { code, pointer }, because }) => ({
          code,
          pointer,
          because: because ?? null,
        })),
      };
    }),
    counts: severityCounts(files.flatMap(({ issues }) => issues)),
  };
}
