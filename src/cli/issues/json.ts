import { severityCounts } from '../../../engine/core/issue.ts';
import type { FileIssues } from './file-issues.ts';
import { placeIssues } from './place.ts';

/**
 * For programs. Every key is always there, `null` when it does not apply; keys may be added, `version` changes when one
 * changes its meaning or goes. Issues stand in the order in which checking found them.
 */
export function jsonIssues(files: readonly FileIssues[]): string {
  const report = {
    version: 1,
    files: files.map(({ file, text, issues }) => {
      const places = placeIssues(text, issues);
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
      };
    }),
    counts: severityCounts(files.flatMap(({ issues }) => issues)),
  };
  return `${JSON.stringify(report, null, 2)}\n`;
}
