import type { CheckOptions } from '../check/command.ts';
import type { FileIssues } from './file-issues.ts';
import { issuesAsData } from './json.ts';
import { prettyIssues } from './pretty.ts';
import { sarifIssues } from './sarif.ts';
import { unixIssues } from './unix.ts';

export type { FileIssues } from './file-issues.ts';

/**
 * The issues in a format, as text that ends with a newline. `color` (see `wantsColor`) and `all` concern only `pretty`,
 * which by default shows at most twenty issues of each code per file. The other formats are for programs and always
 * complete.
 */
export function formatIssues(
  files: readonly FileIssues[],
  format: CheckOptions['format'],
  color = false,
  all = false,
): string {
  switch (format) {
    case 'pretty':
      return prettyIssues(files, color, all);
    case 'json':
      return `${JSON.stringify(issuesAsData(files), null, 2)}\n`;
    case 'sarif':
      return sarifIssues(files);
    case 'unix':
      return unixIssues(files);
  }
}
